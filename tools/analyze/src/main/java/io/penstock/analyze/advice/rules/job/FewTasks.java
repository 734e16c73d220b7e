/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.Stages;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/** Rule R26: finds long stages with far fewer tasks than there were cores. */
public final class FewTasks extends Rule {
  public FewTasks() {
    super(
        new Label("R26", "few-tasks", "a long stage with fewer tasks than cores"),
        "Spark, Tuning: Level of Parallelism",
        List.of("troubles", "app", "executors", "stages", "totals"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Table stages = evidence.table("troubles");
    double cores = cores(evidence);
    double elapsed =
        evidence.table("app").isEmpty() ? 0 : evidence.table("app").number(0, "elapsed_ms");
    if (stages.isEmpty() || cores <= 0 || elapsed <= 0) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not have the stages, the cores and the time of a job. A Spark event log"
              + " that has an end has them.");
    }
    // The rule on partitions of files judges the stage that reads most.
    long ofAnother = Stages.of(evidence).scan().id();
    int worst = -1;
    double most = 0;
    for (int row = 0; row < stages.rows().size(); row++) {
      double time = stages.number(row, "elapsed_ms");
      boolean isLong = time >= Limits.FEW_TASKS_SHARE_MIN * elapsed;
      boolean isOurs = stages.count(row, "stage_id") != ofAnother;
      if (isOurs && isLong && isFew(stages, row, cores) && time > most) {
        worst = row;
        most = time;
      }
    }
    return worst < 0 ? none() : advise(stages, worst, cores, elapsed);
  }

  /** Returns how many tasks could run at a time; 0 if that is not known. */
  static double cores(Evidence evidence) {
    return evidence.cores(Executors.of(evidence.table("executors")).cores())
        / evidence.settings().coresOfTask();
  }

  /**
   * Returns true if a stage of the table {@code troubles} left most cores without a task for long.
   *
   * @param cores that had a task at the same time, if there were enough tasks
   */
  public static boolean isFew(Table stages, int row, double cores) {
    double time = stages.number(row, "elapsed_ms");
    return time >= Limits.FEW_TASKS_MS_MIN
        && stages.count(row, "tasks") > 0
        && stages.count(row, "tasks") <= cores / 2
        && stages.number(row, "task_max_ms") >= time / 2;
  }

  private Optional<Advice> none() {
    return dont()
        .because(
            "No stage that took a minute, and a fifth of the job's time, had less than half as"
                + " many tasks as could run at a time.")
        .leave(Confidence.HIGH);
  }

  private Optional<Advice> advise(Table stages, int row, double cores, double elapsed) {
    long tasks = stages.count(row, "tasks");
    double time = stages.number(row, "elapsed_ms");
    double saved = time * (1 - tasks / cores);
    boolean readsFiles = Stages.readsFiles(stages, row);
    return draft(AdviceVerdict.BENCHMARK)
        .because(
            "Stage %d (%s) ran %s for %s, %.0f %% of the job's time, while %,.0f could run at a"
                + " time.",
            stages.count(row, "stage_id"),
            stages.text(row, "name"),
            Counted.of(tasks, "task"),
            Amounts.duration(time),
            Math.min(100, 100 * time / elapsed),
            cores)
        .change(
            Target.CODE,
            "the tasks of stage " + stages.count(row, "stage_id"),
            Long.toString(tasks),
            "%.0f or more: %s"
                .formatted(
                    cores,
                    readsFiles
                        ? "a source that can be read in parts (Parquet, not gzip text;"
                            + " numPartitions of JDBC), or repartition after reading; no coalesce"
                            + " before the work"
                        : "repartition instead of coalesce; a window, sort or join by more keys"))
        .effect(
            Confidence.LOW,
            Math.min(100, 100 * saved / elapsed),
            "the stage uses all cores, which saves up to %s",
            Amounts.duration(saved))
        .risk("a stage that writes leaves as many files as it has tasks")
        .verify("tasks and time of the stage")
        .done();
  }
}
