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
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/** Rule R21: finds stages whose tasks did not have the memory for their part of the data. */
public final class Spill extends Rule {
  static final String PARTITIONS = "spark.sql.shuffle.partitions";
  private static final String INITIAL = "spark.sql.adaptive.coalescePartitions.initialPartitionNum";
  private static final String ADVISORY = "spark.sql.adaptive.advisoryPartitionSizeInBytes";
  private static final String ADVISORY_BEFORE_3 =
      "spark.sql.adaptive.shuffle.targetPostShuffleInputSize";

  /** A judgement: the share of tasks that are few. */
  private static final double FEW_TASKS = 0.05;

  public Spill() {
    super(
        new Label("R21", "spill", "data that was spilled to disk"),
        "Spark, Tuning: Level of Parallelism",
        List.of("troubles", "totals"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Table stages = evidence.table("troubles");
    if (stages.isEmpty()) {
      return lacking(LogKind.EVENT_LOG, "These logs have no stages. A Spark event log has them.");
    }
    int worst = 0;
    long all = evidence.table("totals").count(0, "disk_spill_bytes");
    for (int row = 0; row < stages.rows().size(); row++) {
      boolean isWorse =
          stages.count(row, "disk_spill_bytes") > stages.count(worst, "disk_spill_bytes");
      worst = isWorse ? row : worst;
    }
    if (stages.count(worst, "disk_spill_bytes") < Limits.SPILL_MIN) {
      return dont()
          .because(
              all == 0
                  ? "Nothing was spilled to disk."
                  : "%s was spilled to disk, but no stage spilled 1 GiB or more.",
              Amounts.bytes(all))
          .leave(Confidence.HIGH);
    }
    return isOfOneKey(stages, worst)
        ? ofOneKey(stages, worst)
        : advise(stages, worst, all, evidence.settings());
  }

  /** Returns true if so few tasks spilled that a key or a file of theirs is larger than others. */
  private static boolean isOfOneKey(Table stages, int row) {
    long spilled = stages.count(row, "spilled_tasks");
    return spilled > 0
        && Skew.isSkewed(stages, row)
        && spilled <= Math.max(1, FEW_TASKS * stages.count(row, "tasks"));
  }

  private Optional<Advice> ofOneKey(Table stages, int row) {
    return dont()
        .because(
            "%s was spilled by %,d of the %s of stage %d (%s), which has skew (R20): more"
                + " partitions do not divide the rows of one key.",
            Amounts.bytes(stages.count(row, "disk_spill_bytes")),
            stages.count(row, "spilled_tasks"),
            Counted.of(stages.count(row, "tasks"), "task"),
            stages.count(row, "stage_id"),
            stages.text(row, "name"))
        .leave(Confidence.MEDIUM);
  }

  private Optional<Advice> advise(Table stages, int row, long all, JobSettings settings) {
    long tasks = stages.count(row, "tasks");
    long spilled = stages.count(row, "spilled_tasks");
    Draft draft =
        draft(AdviceVerdict.BENCHMARK)
            .because(
                "%s was spilled to disk. The largest part, %s, was spilled by %sthe %s of stage %d"
                    + " (%s).",
                Amounts.bytes(all),
                Amounts.bytes(stages.count(row, "disk_spill_bytes")),
                spilled > 0 && spilled < tasks ? "%,d of ".formatted(spilled) : "",
                Counted.of(tasks, "task"),
                stages.count(row, "stage_id"),
                stages.text(row, "name"));
    draft.change(smaller(stages, row, settings));
    return draft
        .effect(
            Confidence.LOW,
            0,
            "the data of each task fits in memory, so that it is not written to disk and read"
                + " again")
        .risk("more tasks; adaptive execution merges those that become too small")
        .verify("bytes spilled, time of the stage, garbage collection")
        .done();
  }

  /** Returns the change that gives a task less of the data. */
  private static Change smaller(Table stages, int row, JobSettings settings) {
    long shuffled = stages.count(row, "shuffle_read_bytes");
    long tasks = Math.max(1, stages.count(row, "tasks"));
    if (shuffled == 0 && Stages.readsFiles(stages, row)) {
      return half(PartitionBytes.NAME, "128 MiB", Limits.PARTITION_DEFAULT, settings);
    }
    long enough = Math.max(2 * tasks, (long) Math.ceil((double) shuffled / Limits.SHUFFLE_TASK));
    // Adaptive execution begins with this number, if it is set, and joins partitions then.
    boolean isAdaptive = settings.isAdaptive();
    String number = isAdaptive && settings.spark(INITIAL).isPresent() ? INITIAL : PARTITIONS;
    long partitions = settings.number(number).orElse(Limits.SHUFFLE_PARTITIONS);
    String size = settings.isAtLeast(3, 0) ? ADVISORY : ADVISORY_BEFORE_3;
    long advised = settings.size(settings.spark(size), Limits.ADVISORY_PARTITION);
    if (isAdaptive && shuffled > 0 && tasks < partitions && shuffled / tasks <= 2 * advised) {
      return half(size, "64 MiB", Limits.ADVISORY_PARTITION, settings);
    }
    if (shuffled > 0 && (tasks == partitions || (isAdaptive && tasks > partitions))) {
      return settings.change(
          Target.SPARK, number, "200", Long.toString(Math.max(enough, 2 * partitions)));
    }
    return new Change(
        Target.CODE,
        "the number of partitions that the code sets for stage " + stages.count(row, "stage_id"),
        Long.toString(tasks),
        Long.toString(enough));
  }

  private static Change half(String name, String usual, long byDefault, JobSettings settings) {
    long now = settings.size(settings.spark(name), byDefault);
    return settings.change(Target.SPARK, name, usual, Amounts.setting(Math.max(1, now / 2)));
  }
}
