/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/** Rule R15: finds committers that rename. On S3 a rename is a copy and a delete of every file. */
public final class Committer extends Rule {

  /** The requests that show renames. */
  record Facts(long temporary, long copies, long deletes, long writes) {
    static Facts of(Evidence evidence) {
      Table renames = evidence.table("renames");
      return new Facts(
          renames.count(0, "temporary"),
          renames.count(0, "copies"),
          renames.count(0, "deletes"),
          evidence.table("load").count(0, "writes"));
    }

    /**
     * Returns true if the requests show renames. Deletes alone do not: an overwrite also deletes
     * old files.
     */
    boolean areRenames() {
      return temporary > 0
          || (copies > 0 && 100.0 * (copies + deletes) > Limits.RENAME_PERCENT * writes);
    }
  }

  public Committer() {
    super(
        new Label("R15", "committer", "commit without renaming"),
        "AWS, EMRFS S3-optimized committer; Spark, Integration with Cloud Infrastructures",
        List.of("renames", "load"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.writes() == 0) {
      return lacking(
          LogKind.ACCESS_LOG,
          "These logs have no write requests. The writes are in the S3 server access log of the"
              + " bucket that the job writes to.");
    }
    List<Change> changes =
        changes(settings).stream().filter(change -> !change.now().equals(change.next())).toList();
    boolean isDue = facts.areRenames() && !changes.isEmpty();
    Draft draft = doIf(isDue);
    draft.because(
        "The logs show %s, %s, and %s to keys under _temporary. For comparison, they show %s in"
            + " all.",
        Counted.of(facts.copies(), "copy", "copies"),
        Counted.of(facts.deletes(), "delete"),
        Counted.of(facts.temporary(), "write"),
        Counted.of(facts.writes(), "write"));
    if (!isDue) {
      return draft
          .because(
              facts.areRenames()
                  ? "With its settings, this job's committer renames nothing. So these requests"
                      + " either come from another job, or are for files that the committer does"
                      + " not write."
                  : "Nothing is renamed.")
          .effect(facts.areRenames() ? Confidence.LOW : Confidence.HIGH, 0, "none")
          .done();
    }
    return draft
        .changes(changes)
        .effect(
            Confidence.MEDIUM,
            Limits.RENAME_GAIN_PERCENT
                * Math.min(1, (double) facts.copies() / Math.max(1, facts.writes())),
            "a published job with 100 files took 450 s with version 1 of FileOutputCommitter, 49 s"
                + " with version 2, and 31 s without renaming")
        .risk(
            settings.client() == Client.S3A
                ? "the committer's classes are in spark-hadoop-cloud, which must have the same"
                    + " version as Spark. S3A's magic committer has no dynamic partition"
                    + " overwrite before Hadoop 3.4. A driver that dies leaves uploads behind:"
                    + " set a lifecycle rule that removes them"
                : "a driver that dies leaves uploads behind: set a lifecycle rule that removes"
                    + " them")
        .verify("CopyObject and DeleteObject requests, time of the last stage")
        .done();
  }

  private static List<Change> changes(JobSettings settings) {
    return switch (settings.client()) {
      case PENSTOCK -> {
        String name = "penstock.spark.commit.enabled";
        yield settings.runsPenstock()
            ? List.of(change(settings, Target.HADOOP, name, "true", "true"))
            : List.of(settings.plugin());
      }
      case EMRFS -> {
        String name = "spark.sql.parquet.fs.optimized.committer.optimization-enabled";
        yield List.of(change(settings, Target.SPARK, name, "true", "true"));
      }
      case S3A -> magic(settings);
    };
  }

  private static List<Change> magic(JobSettings settings) {
    // HADOOP-17483: on by default since 3.3.1.
    boolean isOn = settings.hadoopVersion().map(v -> v.isAtLeast(3, 3, 1)).orElse(true);
    return List.of(
        change(settings, Target.HADOOP, "fs.s3a.committer.name", "file", "magic"),
        change(
            settings,
            Target.HADOOP,
            "fs.s3a.committer.magic.enabled",
            Boolean.toString(isOn),
            "true"),
        change(
            settings,
            Target.SPARK,
            "spark.sql.sources.commitProtocolClass",
            "Spark's own",
            "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol"),
        change(
            settings,
            Target.SPARK,
            "spark.sql.parquet.output.committer.class",
            "Parquet's own",
            "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter"));
  }

  /** Returns the change of a setting; now and next are equal if it has that value already. */
  private static Change change(
      JobSettings settings, Target target, String name, String usual, String next) {
    Optional<String> value = target == Target.SPARK ? settings.spark(name) : settings.hadoop(name);
    boolean isSo = value.orElse(settings.areKnown() ? usual : "").equalsIgnoreCase(next);
    return new Change(target, name, isSo ? next : settings.now(value, usual), next);
  }
}
