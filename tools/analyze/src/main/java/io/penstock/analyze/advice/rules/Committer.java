/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.Verdict;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Optional;

/** Rule R15: finds committers that rename. On S3 a rename is a copy and a delete of every file. */
final class Committer implements Rule {
  private static final String SOURCE =
      "AWS, EMRFS S3-optimized committer; Spark, Integration with Cloud Infrastructures";

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

  @Override
  public Label label() {
    return new Label("R15", "committer", "commit without renaming");
  }

  @Override
  public List<String> queries() {
    return List.of("renames", "load");
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.writes() == 0) {
      return Draft.of(this, Verdict.NO_EVIDENCE)
          .because(
              "No log of requests here has writes. An S3 server access log of the bucket that the"
                  + " job writes to would settle it.")
          .source(SOURCE);
    }
    Draft draft = Draft.of(this, facts.areRenames() ? Verdict.DO : Verdict.DONT);
    draft.because(
        "%,d copies, %,d deletes and %,d requests for keys under _temporary, beside %,d writes.",
        facts.copies(), facts.deletes(), facts.temporary(), facts.writes());
    if (!facts.areRenames()) {
      return draft.because("Nothing is renamed.").effect(Confidence.HIGH, 0, "none").source(SOURCE);
    }
    change(draft, settings);
    return draft
        .effect(
            Confidence.HIGH,
            Limits.RENAME_GAIN_PERCENT
                * Math.min(1, (double) facts.copies() / Math.max(1, facts.writes())),
            "a published job of 100 files: 450 s with FileOutputCommitter 1, 49 s with 2, 31 s"
                + " without renaming")
        .risk(
            "S3A's magic committer has no dynamic partition overwrite before Hadoop 3.4 and leaves"
                + " uploads behind when a driver dies: set a lifecycle rule for them")
        .verify("CopyObject and DeleteObject requests, time of the last stage")
        .source(SOURCE);
  }

  private static void change(Draft draft, JobSettings settings) {
    switch (settings.client()) {
      case PENSTOCK -> {
        String name = "penstock.spark.commit.enabled";
        String now = settings.now(settings.hadoop(name), "true");
        draft.changes(
            List.of(
                settings.runsPenstock()
                    ? new Change(Target.HADOOP, name, now, "true")
                    : settings.plugin()));
      }
      case EMRFS -> {
        String name = "spark.sql.parquet.fs.optimized.committer.optimization-enabled";
        draft.change(Target.SPARK, name, settings.now(settings.spark(name), "true"), "true");
      }
      case S3A -> {
        magic(draft, settings, Target.HADOOP, "fs.s3a.committer.name", "file", "magic");
        magic(
            draft,
            settings,
            Target.SPARK,
            "spark.sql.sources.commitProtocolClass",
            "Spark's own",
            "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol");
        magic(
            draft,
            settings,
            Target.SPARK,
            "spark.sql.parquet.output.committer.class",
            "Parquet's own",
            "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter");
      }
    }
  }

  private static void magic(
      Draft draft, JobSettings settings, Target target, String name, String usual, String next) {
    Optional<String> value = target == Target.SPARK ? settings.spark(name) : settings.hadoop(name);
    draft.change(target, name, settings.now(value, usual), next);
  }
}
