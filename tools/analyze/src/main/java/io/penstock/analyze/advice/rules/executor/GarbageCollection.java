/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import io.penstock.analyze.advice.Advice;
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
import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/** Rule R23: finds executors whose heap is so full that tasks wait for its collection. */
public final class GarbageCollection extends Rule {

  public GarbageCollection() {
    super(
        new Label("R23", "garbage-collection", "tasks that wait for garbage collection"),
        "Spark, Tuning: Garbage Collection Tuning",
        List.of("executors"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Executors.of(evidence.table("executors")), evidence.settings());
  }

  Optional<Advice> judge(Executors executors, JobSettings settings) {
    if (executors.runSeconds() == 0) {
      return lacking(
          LogKind.EVENT_LOG, "These logs do not show how long tasks ran. A Spark event log does.");
    }
    boolean isDue = executors.isCollecting();
    Draft draft =
        benchmarkIf(isDue)
            .because(
                "Garbage collection took %s of the %s that the tasks ran (%.1f %%).",
                Amounts.duration(executors.gcSeconds() * 1000),
                Amounts.duration(executors.runSeconds() * 1000),
                executors.gcPercent());
    if (!isDue) {
      return draft.leave(Confidence.MEDIUM);
    }
    long heap = settings.executorHeap();
    return draft
        .change(
            settings.change(
                Target.SPARK,
                ExecutorMemory.HEAP,
                "1g",
                Amounts.setting((long) (heap * Limits.HEAP_STEP) / Amounts.MIB * Amounts.MIB)))
        .effect(
            Confidence.LOW,
            executors.gcPercent() * Limits.GC_GAIN,
            "less garbage collection, which now takes %.0f %% of the tasks' time",
            executors.gcPercent())
        .risk(
            "fewer executors fit on a node, and a heap of 32 GiB or more has larger pointers. Fewer"
                + " tasks at the same time, or smaller caches and broadcasts, also help and need no"
                + " extra memory")
        .verify(
            "gc_percent in the table job-facts (penstock analyze --tables job-facts) falls; elapsed"
                + " time falls")
        .done();
  }
}
