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
  private static final String FORCE = "spark.sql.adaptive.forceOptimizeSkewedJoin";
  private static final String SPECULATION = "spark.speculation";

  /** A judgement: below, what the longest task read does not explain its time. */
  private static final double MORE_FACTOR = 2;

  /** A judgement: Spark's advisory size of a partition; pieces of it are none. */
  private static final long LEAST_WORTH_A_SPLIT = 2 * Limits.ADVISORY_PARTITION;

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

  /** Returns true if a stage of the table {@code troubles} waits for its longest task. */
  public static boolean isSkewed(Table stages, int row) {
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
    if (isOfMachine(stages, row)) {
      draft.because(
          "All tasks of this stage that took five times the median ran on executor %s (%s).",
          stages.text(row, "slow_executor"), stages.text(row, "slow_host"));
    }
    boolean isKnown = stages.at(row, "longest_bytes") != null && meanBytes(stages, row) > 0;
    if (isKnown) {
      draft.because(
          "The longest task read %s, a task on average %s%s.",
          Amounts.bytes(stages.count(row, "longest_bytes")),
          Amounts.bytes((long) meanBytes(stages, row)),
          hasMore(stages, row) ? "" : ": so it is not the amount of data that made it slow");
    }
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
            hasMore(stages, row) && !isOfMachine(stages, row)
                ? "Spark splits skewed partitions only in joins, and each piece reads the other"
                    + " side of the join again"
                : "a copy of a task needs a free core; a task that is slow by its computation is"
                    + " slow again")
        .verify("longest and median task of the stage, stage time")
        .done();
  }

  private static double meanBytes(Table stages, int row) {
    return (double) (stages.count(row, "input_bytes") + stages.count(row, "shuffle_read_bytes"))
        / Math.max(1, stages.count(row, "tasks"));
  }

  /** Returns true if the longest task read far more than others, also where that is not known. */
  private static boolean hasMore(Table stages, int row) {
    return stages.at(row, "longest_bytes") == null
        || meanBytes(stages, row) == 0
        || stages.count(row, "longest_bytes") >= MORE_FACTOR * meanBytes(stages, row);
  }

  private static boolean isOfMachine(Table stages, int row) {
    return !stages.text(row, "slow_executor").isEmpty();
  }

  /** Another task begins what a slow machine, a slow request or chance holds up. */
  private static List<Change> ofMachine(Table stages, int row, JobSettings settings) {
    List<Change> changes = new ArrayList<>();
    if (isOfMachine(stages, row)) {
      changes.add(
          new Change(
              Target.OUTSIDE,
              "the machine of executor " + stages.text(row, "slow_executor"),
              stages.text(row, "slow_host"),
              "look at its disk, its network and what else runs there"));
    }
    if (!settings.isOn(SPECULATION)) {
      changes.add(settings.change(Target.SPARK, SPECULATION, "false", "true"));
    } else if (changes.isEmpty()) {
      changes.add(
          new Change(
              Target.CODE,
              "the work of stage " + stages.count(row, "stage_id"),
              "one task computes far longer",
              "what this task computes for so long; its thread dump in Spark's UI shows it"));
    }
    return changes;
  }

  private static List<Change> remedies(Table stages, int row, JobSettings settings) {
    if (isOfMachine(stages, row) || !hasMore(stages, row)) {
      return ofMachine(stages, row, settings);
    }
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
    // Spark splits only partitions that are larger than a threshold; how large this one was is
    // known from the longest task, or at most all that the stage read.
    boolean isKnown = stages.at(row, "longest_bytes") != null;
    long largest = isKnown ? Math.min(shuffled, stages.count(row, "longest_bytes")) : shuffled;
    boolean canBeSplit = settings.isAtLeast(3, 0) && largest >= LEAST_WORTH_A_SPLIT;
    if (canBeSplit && !settings.isAdaptive()) {
      changes.add(settings.change(Target.SPARK, ADAPTIVE, "false", "true"));
    }
    if (canBeSplit && settings.isOff(SKEW_JOIN)) {
      changes.add(new Change(Target.SPARK, SKEW_JOIN, "false", "true"));
    }
    if (changes.isEmpty()) {
      long threshold = settings.size(settings.spark(THRESHOLD), Limits.SKEWED_PARTITION);
      boolean isBelow = isKnown && largest < threshold;
      if (canBeSplit && isBelow) {
        changes.add(
            settings.change(
                Target.SPARK,
                THRESHOLD,
                "256MB",
                Amounts.setting(largest / 2 / Amounts.MIB * Amounts.MIB)));
      } else if (canBeSplit && settings.isAtLeast(3, 3) && !settings.isOn(FORCE)) {
        // Adaptive execution was on and the partition large: Spark splits only where that costs no
        // further shuffle.
        changes.add(settings.change(Target.SPARK, FORCE, "false", "true"));
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
