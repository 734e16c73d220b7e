/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.Stages;
import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rule R20: finds stages that wait for one task which has far more to do than the others. */
public final class Skew extends Rule {
  static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  static final String SKEW_JOIN = "spark.sql.adaptive.skewJoin.enabled";
  static final String THRESHOLD = "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes";

  public Skew() {
    super(
        new Label("R20", "skew", "a stage that waits for one task"),
        "Spark, SQL Performance Tuning: Optimizing Skew Join",
        List.of("troubles", "app"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Table stages = evidence.table("troubles");
    if (stages.isEmpty()) {
      return lacking(LogKind.EVENT_LOG, "These logs have no stages. A Spark event log has them.");
    }
    int worst = -1;
    double most = 0;
    for (int row = 0; row < stages.rows().size(); row++) {
      double more = stages.number(row, "task_max_ms") - stages.number(row, "task_p50_ms");
      if (isSkewed(stages, row) && more > most) {
        worst = row;
        most = more;
      }
    }
    return worst < 0 ? none() : advise(stages, worst, evidence);
  }

  private static boolean isSkewed(Table stages, int row) {
    double longest = stages.number(row, "task_max_ms");
    double median = stages.number(row, "task_p50_ms");
    return stages.count(row, "tasks") >= Limits.SKEW_TASKS_MIN
        && longest >= JobLimits.SKEW_FACTOR * median
        && longest - median >= JobLimits.SKEW_MS_MIN
        && longest - median >= Limits.SKEW_SHARE_MIN * stages.number(row, "elapsed_ms");
  }

  private Optional<Advice> none() {
    return dont()
        .because(
            "No stage waits for one slow task. A task counts as slow if it takes at least %.0f"
                + " times the median of its stage, and if the difference from the median is both at"
                + " least ten seconds and at least a fifth of the stage's time. Stages with fewer"
                + " than four tasks are not judged.",
            JobLimits.SKEW_FACTOR)
        .leave(Confidence.HIGH);
  }

  private Optional<Advice> advise(Table stages, int row, Evidence evidence) {
    double longest = stages.number(row, "task_max_ms");
    double median = stages.number(row, "task_p50_ms");
    JobSettings settings = evidence.settings();
    Draft draft = draft(AdviceVerdict.BENCHMARK);
    draft.because(
        "The longest of %,d tasks of stage %d (%s) took %s, %.0f times the median of %s; the stage"
            + " took %s.",
        stages.count(row, "tasks"),
        stages.count(row, "stage_id"),
        stages.text(row, "name"),
        Amounts.duration(longest),
        longest / Math.max(1, median),
        Amounts.duration(median),
        Amounts.duration(stages.number(row, "elapsed_ms")));
    draft.changes(remedies(stages, row, settings));
    double elapsed =
        evidence.table("app").isEmpty() ? 0 : evidence.table("app").number(0, "elapsed_ms");
    return draft
        .effect(
            Confidence.LOW,
            elapsed > 0 ? Math.min(100, 100 * (longest - 2 * median) / elapsed) : 0,
            "the stage no longer waits for its longest task, which saves up to %s",
            Amounts.duration(longest - 2 * median))
        .risk(
            "Spark splits skewed partitions only in joins, and each piece reads the other side of"
                + " the join again")
        .verify("longest and median task of the stage, stage time")
        .done();
  }

  private static List<Change> remedies(Table stages, int row, JobSettings settings) {
    long shuffled = stages.count(row, "shuffle_read_bytes");
    long stage = stages.count(row, "stage_id");
    if (shuffled == 0) {
      return List.of(
          Stages.readsFiles(stages, row)
              ? new Change(
                  Target.CODE,
                  "what stage " + stage + " reads",
                  "files or partitions of very different size",
                  "files of similar size that can be split (Parquet, not gzip text)")
              : new Change(
                  Target.CODE,
                  "the work of stage " + stage,
                  "one task has most of it",
                  "more and smaller partitions with similar work"));
    }
    List<Change> changes = new ArrayList<>();
    // Spark splits only partitions that are larger than a threshold.
    boolean canBeSplit = settings.isAtLeast(3, 0) && shuffled >= Limits.SKEWED_PARTITION;
    if (canBeSplit && !settings.isAdaptive()) {
      changes.add(settings.change(Target.SPARK, ADAPTIVE, "false", "true"));
    }
    if (canBeSplit && settings.isOff(SKEW_JOIN)) {
      changes.add(new Change(Target.SPARK, SKEW_JOIN, "false", "true"));
    }
    if (changes.isEmpty()) {
      long threshold = settings.size(settings.spark(THRESHOLD), Limits.SKEWED_PARTITION);
      if (canBeSplit && threshold > Limits.SKEWED_PARTITION / 4) {
        changes.add(
            settings.change(Target.SPARK, THRESHOLD, "256MB", Amounts.setting(threshold / 4)));
      }
      changes.add(
          new Change(
              Target.CODE,
              "the key of the join or group",
              "as it is",
              "with a random suffix (salted)"));
    }
    return changes;
  }
}
