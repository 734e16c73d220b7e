/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Client;
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
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Optional;

/**
 * Rule R7: checks the size of Parquet's reads. Without vectored reads, Parquet asks S3 for 8 MiB at
 * a time.
 */
public final class AllocationSize extends Rule {
  static final String ALLOCATION = "parquet.read.allocation.size";

  /** The sizes of reads, and the facts that limit them. */
  record Facts(
      boolean isVectored,
      long gets,
      long medianBytes,
      double scanPercent,
      long allocation,
      long maxPartitionBytes,
      long heapBytes,
      long cores) {
    static Facts of(Evidence evidence) {
      JobSettings settings = evidence.settings();
      Table gets = evidence.table("gets");
      return new Facts(
          settings.readsVectored(),
          gets.count(0, "gets"),
          gets.count(0, "median_bytes"),
          Stages.of(evidence).scanPercent(),
          settings.size(settings.hadoop(ALLOCATION), Limits.ALLOCATION_DEFAULT),
          settings.size(
              settings.spark("spark.sql.files.maxPartitionBytes"), Limits.PARTITION_DEFAULT),
          settings.executorHeap(),
          Executors.of(evidence.table("executors")).coresOfOne() / settings.coresOfTask());
    }

    boolean isAtTheLimit() {
      double distance = Math.abs((double) (medianBytes - Limits.ALLOCATION_DEFAULT));
      return distance <= Limits.ALLOCATION_NEAR * (double) Limits.ALLOCATION_DEFAULT;
    }

    /**
     * Returns the recommended size. It is as large as is useful, fits into a partition, and leaves
     * enough memory for all tasks.
     */
    long best() {
      long best = Math.min(Limits.ALLOCATION_BEST, maxPartitionBytes);
      while (best > Limits.ALLOCATION_DEFAULT
          && best * Math.max(1, cores) > (double) heapBytes * Limits.BUFFER_SHARE) {
        best /= 2;
      }
      return best;
    }
  }

  public AllocationSize() {
    super(
        new Label("R7", "allocation-size", "larger reads of Parquet (allocation size)"),
        "AWS, Optimizing performance of Apache Spark workloads on Amazon S3; the source of Parquet"
            + " 1.16",
        List.of("gets", "totals", "stages", "executors"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    if (settings.client() == Client.PENSTOCK) {
      return Optional.empty();
    }
    if (!settings.areKnown()) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not show whether reads are vectored. A Spark event log does.");
    }
    return judge(Facts.of(evidence), settings);
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.isVectored()) {
      return dont()
          .because(
              "Reads are vectored (the default since Spark 4.1), and vectored reads ignore %s.",
              ALLOCATION)
          .effect(Confidence.HIGH, 0, "none; see vectored-reads")
          .done();
    }
    if (facts.gets() < Limits.GETS_MIN || facts.scanPercent() == 0) {
      return lacking(
          facts.gets() < Limits.GETS_MIN ? LogKind.ACCESS_LOG : LogKind.EVENT_LOG,
          "This rule needs the sizes of the reads, from an S3 server access log (found: %,d reads),"
              + " and the scan time, from a Spark event log (found: %.0f %% of the run time).",
          facts.gets(),
          facts.scanPercent());
    }
    long best = facts.best();
    boolean isDue =
        facts.isAtTheLimit()
            && facts.scanPercent() >= Limits.SCAN_SHARE_PERCENT
            && best > facts.allocation();
    Draft draft = doIf(isDue);
    draft.because(
        "The median size of %,d reads of Parquet is %s; scans take %.0f %% of the run time.",
        facts.gets(), Amounts.bytes(facts.medianBytes()), facts.scanPercent());
    if (!isDue) {
      return draft
          .because(
              "Either Parquet's limit of 8 MiB per read does not slow the job down, or larger"
                  + " reads would not fit into memory.")
          .leave(Confidence.MEDIUM);
    }
    return draft
        .change(settings.change(Target.HADOOP, ALLOCATION, "8 MiB", Long.toString(best)))
        .effect(
            Confidence.MEDIUM,
            Limits.EKS_SETTING_PERCENT,
            "in a job published by AWS, with files of 13 GB, this change together with those of the"
                + " rules row-groups and partition-size gave 40 %% less time and 77 %% more"
                + " throughput.")
        .risk(
            "each task needs up to %s of memory for its reads; an executor runs %,d tasks at the"
                + " same time, with a heap of %s",
            Amounts.bytes(best), facts.cores(), Amounts.bytes(facts.heapBytes()))
        .verify("median size of GetObject, scan time, elapsed time")
        .done();
  }
}
