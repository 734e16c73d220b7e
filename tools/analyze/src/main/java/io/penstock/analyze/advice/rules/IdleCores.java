/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.Verdict;
import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/** Rule R22: finds executors whose cores had no task for most of their time. */
final class IdleCores implements Rule {
  private static final String SOURCE = "Spark, Job Scheduling: Dynamic Resource Allocation";
  static final String DYNAMIC = "spark.dynamicAllocation.enabled";
  static final String MOST = "spark.dynamicAllocation.maxExecutors";
  static final String INSTANCES = "spark.executor.instances";

  @Override
  public Label label() {
    return new Label("R22", "idle-cores", "cores without a task");
  }

  @Override
  public List<String> queries() {
    return List.of("executors");
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Executors.of(evidence.table("executors")), evidence.settings());
  }

  Optional<Advice> judge(Executors executors, JobSettings settings) {
    if (executors.coreSeconds() <= 0) {
      return Draft.of(this, Verdict.NO_EVIDENCE)
          .because(
              "The executors and their cores are not in these logs; a Spark event log has them.")
          .source(SOURCE);
    }
    double busy = Math.min(1, executors.runSeconds() / executors.coreSeconds());
    double idlePercent = 100 * (1 - busy);
    boolean isDue =
        idlePercent >= Limits.IDLE_PERCENT
            && executors.coreSeconds() >= Limits.IDLE_CORE_SECONDS_MIN
            && executors.count() > 1;
    Draft draft =
        Draft.of(this, isDue ? Verdict.BENCHMARK : Verdict.DONT)
            .because(
                "%,d executors had %s of core time, and tasks ran for %s of it: %.0f %% idle.",
                executors.count(),
                Amounts.duration(executors.coreSeconds() * 1000),
                Amounts.duration(executors.runSeconds() * 1000),
                idlePercent);
    if (!isDue) {
      return draft.effect(Confidence.MEDIUM, 0, "none").source(SOURCE);
    }
    // The average number of executors at a time, of which a margin over the busy part is kept.
    double atOnce =
        executors.spanSeconds() > 0
            ? executors.aliveSeconds() / executors.spanSeconds()
            : executors.count();
    long wanted = (long) Math.max(1, Math.ceil(atOnce * busy * Limits.IDLE_MARGIN));
    boolean isDynamic =
        settings.spark(DYNAMIC).map(value -> value.strip().equalsIgnoreCase("true")).orElse(false);
    draft.change(
        Target.SPARK,
        isDynamic ? MOST : INSTANCES,
        isDynamic
            ? settings.now(settings.spark(MOST), "no limit")
            : settings.now(settings.spark(INSTANCES), Long.toString(executors.count())),
        Long.toString(wanted));
    return draft
        .effect(
            Confidence.LOW,
            0,
            "up to %.0f %% of the executors' cost; the job takes no less time",
            idlePercent)
        .risk(
            "stages with more tasks than cores take longer; long tails and the driver idle cores too")
        .verify("elapsed time, idle share in job-facts")
        .source(SOURCE);
  }
}
