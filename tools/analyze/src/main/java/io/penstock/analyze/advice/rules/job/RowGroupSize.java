/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.Stages;
import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/**
 * Rule R9: checks the size of row groups. One read of a column cannot be larger than a row group.
 */
public final class RowGroupSize extends Rule {
  static final String BLOCK = "parquet.block.size";

  /**
   * The sizes that the job writes, and the sizes that it reads.
   *
   * @param writtenBytes of all files
   */
  record Facts(
      long fileBytes,
      long writtenBytes,
      long rowGroup,
      long gets,
      long medianBytes,
      long heapBytes,
      long cores) {
    static Facts of(Evidence evidence) {
      JobSettings settings = evidence.settings();
      Stages stages = Stages.of(evidence);
      Table files = evidence.table("files");
      long measured = files.count(0, "measured");
      // Some committers report no bytes.
      boolean isTold = stages.filesWritten() > 0 && stages.writtenBytes() > 0;
      return new Facts(
          isTold
              ? stages.writtenBytes() / stages.filesWritten()
              : measured == 0 ? 0 : files.count(0, "bytes") / measured,
          isTold ? stages.writtenBytes() : files.count(0, "bytes"),
          settings.size(settings.hadoop(BLOCK), Limits.ROW_GROUP_DEFAULT),
          evidence.table("gets").count(0, "gets"),
          evidence.table("gets").count(0, "median_bytes"),
          settings.executorHeap(),
          Executors.of(evidence.table("executors")).coresOfOne() / settings.coresOfTask());
    }

    /**
     * Returns the recommended size: the current one, doubled as far as files and memory allow it.
     */
    long best() {
      long best = rowGroup;
      while (best * 2 <= Limits.ROW_GROUP_MAX && best * 2 <= fileBytes && hasRoomFor(best * 2)) {
        best *= 2;
      }
      return best;
    }

    boolean hasRoomFor(long group) {
      return Limits.ROW_GROUP_MEMORY * group * Math.max(1, cores) <= heapBytes;
    }
  }

  public RowGroupSize() {
    super(
        new Label("R9", "row-groups", "larger row groups in the files that the job writes"),
        "AWS, Optimizing performance of Apache Spark workloads on Amazon S3",
        List.of("gets", "totals", "stages", "files", "executors"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    if (!evidence.settings().areKnown()) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not have the row group size and the memory. A Spark event log has"
              + " them.");
    }
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.fileBytes() == 0) {
      return lacking(LogKind.EVENT_LOG, LogKind.ACCESS_LOG)
          .because(
              "These logs do not have the sizes of written files. The event log of the job that"
                  + " writes the files, or an S3 server access log of its writes, has them.")
          .done();
    }
    if (facts.fileBytes() < facts.rowGroup()) {
      return files(facts);
    }
    if (facts.gets() < Limits.GETS_MIN) {
      return lacking(
          LogKind.ACCESS_LOG,
          "The files that the job writes have %s each, with row groups of %s. An S3 server access"
              + " log of the reads shows how these files are read.",
          Amounts.bytes(facts.fileBytes()),
          Amounts.bytes(facts.rowGroup()));
    }
    boolean isSmall = facts.medianBytes() < Limits.COLUMN_RUN_MIN;
    long best = facts.best();
    boolean isDue = isSmall && best > facts.rowGroup();
    Draft draft = benchmarkIf(isDue);
    draft.because(
        "The files that the job writes have %s each, with row groups of %s. The median size of %,d"
            + " reads is %s.",
        Amounts.bytes(facts.fileBytes()),
        Amounts.bytes(facts.rowGroup()),
        facts.gets(),
        Amounts.bytes(facts.medianBytes()));
    if (!isDue) {
      return draft
          .because(
              isSmall
                  ? "Larger row groups would not fit into the memory (%s for %s), or they would be"
                      + " larger than the files."
                  : "Reads are large enough.",
              Amounts.bytes(facts.heapBytes()),
              Counted.of(facts.cores(), "task"))
          .leave(Confidence.MEDIUM);
    }
    return draft
        .because(
            "The logs do not show whether these reads are from files that this job writes, nor"
                + " whether each of them reads a whole row group. So only a benchmark can show"
                + " whether larger row groups help.")
        .change(settings.change(Target.HADOOP, BLOCK, "128 MiB", Long.toString(best)))
        .effect(
            Confidence.LOW,
            Limits.EKS_SETTING_PERCENT,
            "larger reads; in a job published by AWS, row groups of 512 MiB, together with the"
                + " recommendations of the rules allocation-size and partition-size, gave 40 %%"
                + " less time")
        .risk(
            "writers need more memory; fewer tasks can read a file at once; queries that skip most"
                + " row groups get slower")
        .verify("median size of GetObject and scan time of the jobs that read the files")
        .done();
  }

  private Optional<Advice> files(Facts facts) {
    boolean isLittle = facts.writtenBytes() < facts.rowGroup();
    if (isLittle || facts.fileBytes() < JobLimits.SMALL_FILE) {
      return dont()
          .because(
              isLittle
                  ? "All files together have %s, less than one row group of %s."
                  : "The files have %s each, far less than a row group (%s), so the size of the"
                      + " files matters, not the size of the row groups.",
              Amounts.bytes(isLittle ? facts.writtenBytes() : facts.fileBytes()),
              Amounts.bytes(facts.rowGroup()))
          .leave(Confidence.MEDIUM);
    }
    return draft(AdviceVerdict.BENCHMARK)
        .because(
            "The files that the job writes have %s each. If they are Parquet files, they are"
                + " smaller than a row group of %s, so %s has no effect.",
            Amounts.bytes(facts.fileBytes()), Amounts.bytes(facts.rowGroup()), BLOCK)
        .change(
            Target.CODE,
            "size of the files written",
            Amounts.bytes(facts.fileBytes()),
            Amounts.bytes(Math.max(facts.rowGroup(), Limits.TARGET_FILE)))
        .effect(Confidence.MEDIUM, 0, "readers request fewer and larger ranges")
        .risk("larger tasks in the last stage")
        .verify("mean size of the files written; GetObject requests of readers")
        .done();
  }
}
