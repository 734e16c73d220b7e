/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

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
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.ToldTroubles;
import io.penstock.analyze.errortext.Trouble;
import io.penstock.tables.Label;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;

/**
 * Rule R12: compares the memory of executors with their peak. Memory that no executor uses still
 * costs money, and with too little memory executors are killed.
 */
public final class MemoryRequest extends Rule {

  /**
   * The most memory that an executor had.
   *
   * @param bytes 0 if it is not known
   * @param isResident true for all its memory, false for the heap alone: a lower bound
   */
  private record Peak(long bytes, boolean isResident) {
    static Peak of(Executors executors, ExecutorMemory memory) {
      // Where nothing ends what takes more, the resident set is compared with no limit.
      return executors.peakRssBytes() > 0 && memory.isEnforced()
          ? new Peak(executors.peakRssBytes(), true)
          : new Peak(executors.peakHeapBytes(), false);
    }
  }

  public MemoryRequest() {
    super(
        new Label("R12", "executor-memory", "memory of the executors"),
        "robusta-dev/krr (Kubernetes Resource Recommender): peak memory plus 15 %, request equal to"
            + " limit",
        List.of("executors", "totals", ToldTroubles.QUERY));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    long killed = ToldTroubles.times(evidence, Trouble.KILLED);
    long told = killed > 0 ? killed : ToldTroubles.times(evidence, Trouble.SIGNAL);
    if (evidence.table("executors").isEmpty() && told > 0) {
      String why =
          killed > 0
              ? "%s killed because memory ran out"
                  .formatted(Counted.of(told, "executor was", "executors were"))
              : "%s by SIGKILL (137): memory ran out, or their node was taken away"
                  .formatted(Counted.of(told, "executor ended", "executors ended"));
      return told(why, ExecutorMemory.of(settings), settings);
    }
    return judge(
        Executors.of(evidence.table("executors")),
        ExecutorMemory.of(settings),
        evidence.table("totals").count(0, "disk_spill_bytes"),
        settings);
  }

  /**
   * Returns the advice for these executors.
   *
   * @param spilledBytes what all tasks wrote to disk for want of memory
   */
  Optional<Advice> judge(
      Executors executors, ExecutorMemory memory, long spilledBytes, JobSettings settings) {
    Peak peak = Peak.of(executors, memory);
    boolean isKilled = executors.killedForMemory() > 0;
    boolean isFull = executors.outOfHeap() > 0;
    if (!settings.areKnown() || (peak.bytes() == 0 && !isKilled && !isFull)) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not have the peak memory. A Spark event log has it with"
              + " spark.eventLog.logStageExecutorMetrics=true and"
              + " spark.executor.processTreeMetrics.enabled=true.");
    }
    if (isFull) {
      return moreHeap(executors, memory, peak, settings);
    }
    boolean isFar =
        peak.isResident() && peak.bytes() < (1 - Limits.RESOURCE_CHANGE) * memory.total();
    boolean isOver =
        peak.isResident()
            && Limits.MEMORY_FACTOR * peak.bytes() > (1 + Limits.RESOURCE_CHANGE) * memory.total();
    // So far below the limit, a signal is rather that of a node that was taken away.
    boolean lacksMemory = executors.surelyForMemory() > 0 || (isKilled && !isFar);
    if (lacksMemory || isOver) {
      return more(executors, memory, peak, settings);
    }
    return less(executors, memory, peak, spilledBytes, settings);
  }

  /** Returns the advice where only the logs of containers say that executors were killed. */
  private Optional<Advice> told(String why, ExecutorMemory memory, JobSettings settings) {
    return draft(AdviceVerdict.BENCHMARK)
        .because(
            "By the logs, %s. An event log shows how much each used. (On YARN before Spark 2.3, the"
                + " setting is spark.yarn.executor.memoryOverhead.)",
            why)
        .change(
            settings.areKnown()
                ? settings.change(
                    Target.SPARK,
                    ExecutorMemory.OVERHEAD,
                    "%.0f %% of the heap, at least 384m".formatted(100 * memory.factor()),
                    Amounts.setting(ceilMib(2.0 * memory.overhead())))
                : settings.change(
                    Target.SPARK, ExecutorMemory.OVERHEAD, "not known", "twice as much as now"))
        .effect(Confidence.LOW, 0, "executors are no longer killed")
        .risk("fewer executors fit on a node; fewer tasks at a time need less memory, too")
        .verify("executors lost")
        .done();
  }

  /** Adds to the heap, which was full. */
  private Optional<Advice> moreHeap(
      Executors executors, ExecutorMemory memory, Peak peak, JobSettings settings) {
    return seen(doIf(true), executors, memory, peak)
        .change(heap(settings, ceilMib(memory.heap() * Limits.HEAP_STEP)))
        .effect(Confidence.LOW, 0, "executors are no longer lost")
        .risk(
            "fewer executors fit on a node; smaller partitions or fewer tasks at a time need less"
                + " memory")
        .verify("executors lost")
        .done();
  }

  /**
   * Adds memory beside the heap, which cannot have outgrown its setting: the kernel kills for the
   * sum of all.
   */
  private Optional<Advice> more(
      Executors executors, ExecutorMemory memory, Peak peak, JobSettings settings) {
    boolean isKilled = executors.killedForMemory() > 0;
    Draft draft =
        draft(
            executors.surelyForMemory() > 0 || !isKilled
                ? AdviceVerdict.DO
                : AdviceVerdict.BENCHMARK);
    seen(draft, executors, memory, peak);
    if (memory.isEnforced()) {
      double wanted =
          Limits.MEMORY_FACTOR * (isKilled ? Math.max(memory.total(), peak.bytes()) : peak.bytes());
      draft.change(
          settings.change(
              Target.SPARK,
              ExecutorMemory.OVERHEAD,
              "%.0f %% of the heap, at least 384m".formatted(100 * memory.factor()),
              Amounts.setting(ceilMib(memory.overhead() + wanted - memory.total()))));
    } else {
      draft.change(
          Target.OUTSIDE,
          "SPARK_WORKER_MEMORY",
          "not known",
          "nine tenths of the machine's memory; the last tenth stays free for what executors use"
              + " outside their heap");
    }
    return draft
        .effect(
            peak.bytes() > 0 && memory.isEnforced() ? Confidence.MEDIUM : Confidence.LOW,
            0,
            isKilled ? "executors are no longer killed" : "room for the peak")
        .risk("fewer executors fit on a node")
        .verify("executors lost")
        .done();
  }

  /** Takes memory away, all of it from the heap: whoever sets an overhead has a reason. */
  private Optional<Advice> less(
      Executors executors,
      ExecutorMemory memory,
      Peak peak,
      long spilledBytes,
      JobSettings settings) {
    double wanted =
        peak.isResident()
            ? memory.heapOf(Limits.MEMORY_FACTOR * peak.bytes())
            // A lower bound of what is needed. So memory is taken away in steps.
            : Math.max(Limits.MEMORY_FACTOR * peak.bytes(), Limits.HEAP_ONLY_STEP * memory.heap());
    long heap =
        Math.max(
            Limits.HEAP_MIN,
            ceilMib(Math.max(wanted, Limits.MEMORY_FACTOR * executors.peakHeapBytes())));
    boolean isLess =
        peak.isResident()
            ? memory.withHeap(heap).total() <= (1 - Limits.RESOURCE_CHANGE) * memory.total()
            : Limits.MEMORY_FACTOR * peak.bytes() <= Limits.HEAP_ONLY_USED * memory.heap()
                && heap < memory.heap();
    boolean spills = spilledBytes >= Limits.SPILL_MIN;
    boolean areLost = executors.lostUnexplained() > 0;
    boolean isBound = settings.isBoundByNode();
    boolean isDue = isLess && !executors.isCollecting() && !spills && !areLost && !isBound;
    // The peak of the heap alone does not show how much memory can be removed; a benchmark has to.
    AdviceVerdict due = peak.isResident() ? AdviceVerdict.DO : AdviceVerdict.BENCHMARK;
    Draft draft = draft(isDue ? due : AdviceVerdict.DONT);
    seen(draft, executors, memory, peak);
    if (isLess && isBound) {
      draft.because(
          "But each executor has a node or a GPU of its own, so less memory makes room for"
              + " nothing.");
    } else if (isLess && areLost) {
      draft.because(
          "But %s lost for another reason, or for one that the log does not tell: so nothing is"
              + " taken away.",
          Counted.of(executors.lostUnexplained(), "executor was", "executors were"));
    } else if (isLess && spills) {
      draft.because(
          "But tasks spilled %s to disk, so they need the heap.", Amounts.bytes(spilledBytes));
    } else if (isLess && !isDue) {
      draft.because(
          "But garbage collection took %.0f %% of the tasks' time, so the heap is not too large.",
          executors.gcPercent());
    }
    if (!isDue) {
      return draft.leave(Confidence.MEDIUM);
    }
    return draft
        .change(heap(settings, heap))
        .effect(
            peak.isResident() ? Confidence.MEDIUM : Confidence.LOW,
            0,
            "less memory to pay for; more executors on a node that has cores for them")
        .risk(
            "a run on more data needs more memory; a smaller heap means more garbage collection and"
                + " more spilling")
        .verify("executors lost, GC share, spill")
        .done();
  }

  private static Draft seen(Draft draft, Executors executors, ExecutorMemory memory, Peak peak) {
    if (peak.bytes() > 0) {
      draft.because(
          "The memory of an executor peaked at %s of %s (%s).",
          Amounts.bytes(peak.bytes()),
          Amounts.bytes(peak.isResident() ? memory.total() : memory.heap()),
          peak.isResident()
              ? "resident memory, compared with the executor's total memory"
              : "heap only: a lower bound");
    }
    if (executors.outOfHeap() > 0) {
      draft.because(
          "%s because the heap was full.",
          Counted.of(executors.outOfHeap(), "executor ended", "executors ended"));
    }
    if (executors.surelyForMemory() > 0) {
      draft.because(
          "%s killed because memory ran out.",
          Counted.of(executors.surelyForMemory(), "executor was", "executors were"));
    }
    if (executors.bySignal() > 0) {
      draft.because(
          "%s killed (exit code 137), perhaps because memory ran out.",
          Counted.of(executors.bySignal(), "executor was", "executors were"));
    }
    if (executors.killedForMemory() == 0
        && executors.outOfHeap() == 0
        && executors.lostUnexplained() == 0) {
      draft.note("No executor was killed for lack of memory.");
    }
    return draft;
  }

  private static Change heap(JobSettings settings, long bytes) {
    return settings.change(Target.SPARK, ExecutorMemory.HEAP, "1g", Amounts.setting(bytes));
  }

  private static long ceilMib(double bytes) {
    return (long) Math.ceil(bytes / Amounts.MIB) * Amounts.MIB;
  }
}
