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

/**
 * Rule R12: compares the memory of executors with their peak. Memory that no executor uses still
 * costs money, and with too little memory executors are killed.
 */
final class MemoryRequest implements Rule {
  private static final String SOURCE = "robusta-dev/krr: the maximum and 15 %, request = limit";
  static final String MEMORY = "spark.executor.memory";
  static final String OVERHEAD = "spark.executor.memoryOverhead";

  @Override
  public Label label() {
    return new Label("R12", "executor-memory", "memory of the executors");
  }

  @Override
  public List<String> queries() {
    return List.of("executors");
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    long heap = settings.size(settings.spark(MEMORY), Amounts.GIB);
    long overhead =
        settings
            .spark(OVERHEAD)
            .flatMap(text -> Amounts.size(text, Amounts.MIB))
            .orElse(overhead(heap));
    return judge(Executors.of(evidence.table("executors")), heap, overhead, settings);
  }

  private static long overhead(long heap) {
    return Math.max(Limits.OVERHEAD_MIN, (long) (heap * Limits.OVERHEAD_FACTOR));
  }

  Optional<Advice> judge(Executors executors, long heap, long overhead, JobSettings settings) {
    if (!settings.areKnown() || (executors.peakRssBytes() == 0 && executors.peakHeapBytes() == 0)) {
      return Draft.of(this, Verdict.NO_EVIDENCE)
          .because(
              "No peak of memory is in these logs. A Spark event log has it with"
                  + " spark.eventLog.logStageExecutorMetrics=true and"
                  + " spark.executor.processTreeMetrics.enabled=true.")
          .source(SOURCE);
    }
    boolean hasRss = executors.peakRssBytes() > 0;
    long now = hasRss ? heap + overhead : heap;
    long peak = hasRss ? executors.peakRssBytes() : executors.peakHeapBytes();
    boolean isKilled = executors.killedForMemory() > 0;
    double wanted = Limits.MEMORY_FACTOR * (isKilled ? Math.max(now, peak) : peak);
    if (!hasRss && !isKilled) {
      // What is known is a lower bound. So memory is taken away in steps, and never halved.
      wanted = Math.max(wanted, Limits.HEAP_ONLY_STEP * now);
    }
    boolean isDue = isKilled || Math.abs(wanted - now) >= Limits.RESOURCE_CHANGE * now;
    // The peak of the heap alone does not show how much memory can be removed; a benchmark has to.
    Verdict due = hasRss || isKilled ? Verdict.DO : Verdict.BENCHMARK;
    Draft draft = Draft.of(this, isDue ? due : Verdict.DONT);
    draft.because(
        "The peak of an executor was %s of %s (%s); %,d %s killed for want of memory.",
        Amounts.bytes(peak),
        Amounts.bytes(now),
        hasRss ? "resident, heap and overhead" : "heap only: a lower bound",
        executors.killedForMemory(),
        executors.killedForMemory() == 1 ? "was" : "were");
    if (!isDue) {
      return draft.effect(Confidence.MEDIUM, 0, "none").source(SOURCE);
    }
    long total = ceilMib(wanted);
    long newHeap = hasRss && !isKilled ? ceilMib(total / (1 + Limits.OVERHEAD_FACTOR)) : total;
    if (isKilled) {
      // The log does not show which memory grew. The kernel mostly kills for memory outside of the
      // heap.
      newHeap = heap;
    }
    long setHeap = Math.max(Limits.HEAP_MIN, newHeap);
    if (setHeap != heap) {
      draft.change(
          Target.SPARK,
          MEMORY,
          settings.now(settings.spark(MEMORY), "1g"),
          Amounts.setting(setHeap));
    }
    if (hasRss || isKilled) {
      draft.change(
          Target.SPARK,
          OVERHEAD,
          settings.now(settings.spark(OVERHEAD), "10 %, at least 384m"),
          Amounts.setting(
              Math.max(
                  isKilled ? ceilMib(overhead * Limits.MEMORY_FACTOR) : Limits.OVERHEAD_MIN,
                  total - newHeap)));
    }
    return draft
        .effect(
            hasRss ? Confidence.MEDIUM : Confidence.LOW,
            0,
            isKilled ? "executors that are not killed" : "more executors on a node")
        .risk("a run on more data needs more; less heap means more garbage collection and spill")
        .verify("executors lost, GC share, spill")
        .source(SOURCE);
  }

  private static long ceilMib(double bytes) {
    return (long) Math.ceil(bytes / Amounts.MIB) * Amounts.MIB;
  }
}
