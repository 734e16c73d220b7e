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
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Optional;

/** Rule R8: finds many small reads with small gaps between them, which could be one request. */
public final class VectoredReads extends Rule {
  private static final String GAP = "fs.s3a.vectored.read.min.seek.size";
  private static final String MERGED = "fs.s3a.vectored.read.max.merged.size";
  private static final String RANGES = "fs.s3a.vectored.active.ranged.reads";
  // Judgements: eight times the defaults of S3A, and twice as many ranges at once. Nobody has
  // measured their effect, so this rule never recommends more than a benchmark.
  private static final String LARGER_GAP = "1M";
  private static final String LARGER_MERGED = "16M";
  private static final String MORE_RANGES = "8";

  /** The facts about reads and the gaps between them. */
  record Facts(
      boolean isVectored, long gets, long medianBytes, long filesWithRanges, long medianGap) {
    static Facts of(Evidence evidence) {
      Table gets = evidence.table("gets");
      Table gaps = evidence.table("gaps");
      return new Facts(
          evidence.settings().readsVectored(),
          gets.count(0, "gets"),
          gets.count(0, "median_bytes"),
          gaps.count(0, "files"),
          gaps.count(0, "median_gap"));
    }
  }

  public VectoredReads() {
    super(
        new Label("R8", "vectored-reads", "larger vectored reads of Parquet"),
        "the source of hadoop-aws 3.4.2; the effect is not measured",
        List.of("gets", "gaps"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    boolean isKnown = settings.areKnown();
    if (settings.client() != Client.S3A || (isKnown && !settings.readsVectored())) {
      return Optional.empty();
    }
    if (!isKnown) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not show whether reads are vectored. A Spark event log does.");
    }
    return judge(Facts.of(evidence), settings);
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.gets() < Limits.GETS_MIN || facts.filesWithRanges() == 0) {
      return lacking(
          LogKind.ACCESS_LOG,
          "This rule needs the sizes of the reads (%,d found) and their ranges (found for %,d"
              + " files). An S3 server access log with S3A's audit (fs.s3a.audit.enabled) has"
              + " both.",
          facts.gets(),
          facts.filesWithRanges());
    }
    boolean isDue = facts.medianBytes() < Limits.SMALL_GET && facts.medianGap() < Limits.SMALL_GAP;
    Draft draft = benchmarkIf(isDue);
    draft.because(
        "The median size of %,d reads of Parquet is %s; the median gap between two reads of a file"
            + " is %s.",
        facts.gets(), Amounts.bytes(facts.medianBytes()), Amounts.bytes(facts.medianGap()));
    if (!isDue) {
      return draft.because("The reads are already large, or far apart.").leave(Confidence.LOW);
    }
    return draft
        .change(settings.change(Target.HADOOP, GAP, "128K", LARGER_GAP))
        .change(settings.change(Target.HADOOP, MERGED, "2M", LARGER_MERGED))
        .change(settings.change(Target.HADOOP, RANGES, "4", MORE_RANGES))
        .effect(
            Confidence.LOW,
            0,
            "fewer and larger reads; nobody has measured the gain of these values, so compare two"
                + " runs")
        .risk("S3A reads more bytes that it then discards, and needs more memory")
        .verify("GetObject requests, bytes that S3 sent, scan time")
        .done();
  }
}
