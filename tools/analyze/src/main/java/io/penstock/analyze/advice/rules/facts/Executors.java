/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The totals over all executors of a job.
 *
 * @param count the number of executors whose lifetime is known; the sums of time are theirs
 * @param aliveSeconds the sum of the lifetimes of all executors
 * @param coreSeconds the sum of each executor's lifetime times its cores
 * @param spanSeconds from the start of the first executor to the end of the last one
 * @param heldSeconds the time for which tasks had their cores, from their launch to their end
 * @param peakRssBytes the peak of one executor; 0 if the log has none
 * @param peakHeapBytes the peak of one executor's heap; 0 if the log has none
 * @param killedForMemory the number of executors that were removed because they lacked memory
 * @param bySignal the number of these that only exit code 137 tells of
 * @param outOfHeap the number of executors that ended because their heap was full
 * @param lostUnexplained the number of executors that were lost for none of these reasons
 */
public record Executors(
    int count,
    double aliveSeconds,
    double coreSeconds,
    double spanSeconds,
    double cpuSeconds,
    double runSeconds,
    double heldSeconds,
    double gcSeconds,
    long peakRssBytes,
    long peakHeapBytes,
    int killedForMemory,
    int bySignal,
    int outOfHeap,
    int lostUnexplained,
    long coresOfOne) {

  // On Kubernetes, Spark itself writes "possible container OOM" beside any exit code 137.
  private static final Pattern FOR_MEMORY =
      Pattern.compile(
          "(?i)(?<!possible container )\\boom|outofmemory|out of memory|memory limit"
              + "|exceeding memory");

  // Exit code 137 is 128 plus the number of SIGKILL, which the kernel sends when memory runs out,
  // and cluster managers when they take a node away. They word it as "exit code: 137", "exited with
  // code 137" or "exit status 137".
  private static final Pattern BY_SIGNAL =
      Pattern.compile("(?i)exit(ed)?( with)? (code|status):? ?137\\b");

  // Spark's own exit code for an OutOfMemoryError.
  private static final Pattern OUT_OF_HEAP =
      Pattern.compile("(?i)outofmemoryerror: java heap|exit(ed)?( with)? (code|status):? ?52\\b");

  /** Returns the totals of the table of executors. */
  public static Executors of(Table table) {
    int count = 0;
    double alive = 0;
    double coreSeconds = 0;
    double cpu = 0;
    double run = 0;
    double held = 0;
    double gc = 0;
    long rss = 0;
    long heap = 0;
    int killed = 0;
    int bySignal = 0;
    int outOfHeap = 0;
    int lost = 0;
    long cores = 0;
    Instant first = Instant.MAX;
    Instant last = Instant.MIN;
    for (int row = 0; row < table.rows().size(); row++) {
      rss = Math.max(rss, table.count(row, "peak_rss_bytes"));
      heap = Math.max(heap, table.count(row, "peak_heap_bytes"));
      String reason = table.text(row, "removed_reason");
      boolean hasNoHeap = OUT_OF_HEAP.matcher(reason).find();
      outOfHeap += hasNoHeap ? 1 : 0;
      boolean lacksMemory = !hasNoHeap && FOR_MEMORY.matcher(reason).find();
      boolean isSignal = !hasNoHeap && !lacksMemory && BY_SIGNAL.matcher(reason).find();
      killed += lacksMemory || isSignal ? 1 : 0;
      bySignal += isSignal ? 1 : 0;
      boolean isExplained = hasNoHeap || lacksMemory || isSignal;
      lost += Boolean.TRUE.equals(table.at(row, "lost")) && !isExplained ? 1 : 0;
      cores = Math.max(cores, table.count(row, "cores"));
      if (table.at(row, "added") instanceof Instant added
          && table.at(row, "until") instanceof Instant until
          && until.isAfter(added)) {
        count++;
        cpu += table.number(row, "cpu_ms") / 1000;
        run += table.number(row, "run_ms") / 1000;
        held += table.number(row, "held_ms") / 1000;
        gc += table.number(row, "gc_ms") / 1000;
        double seconds = Duration.between(added, until).toMillis() / 1000.0;
        alive += seconds;
        coreSeconds += seconds * table.count(row, "cores");
        first = added.isBefore(first) ? added : first;
        last = until.isAfter(last) ? until : last;
      }
    }
    double span = last.isAfter(first) ? Duration.between(first, last).toMillis() / 1000.0 : 0;
    return new Executors(
        count,
        alive,
        coreSeconds,
        span,
        cpu,
        run,
        held,
        gc,
        rss,
        heap,
        killed,
        bySignal,
        outOfHeap,
        lost,
        cores);
  }

  /** Returns how many executors were killed for want of memory, not perhaps only. */
  public int surelyForMemory() {
    return killedForMemory - bySignal;
  }

  /** Returns the average number of cores at a time; 0 if it is not known. */
  public double cores() {
    return spanSeconds == 0 ? 0 : coreSeconds / spanSeconds;
  }

  /**
   * Returns the share of the core time in which tasks ran, from 0 to 1.
   *
   * @param coresOfTask how many cores a task takes
   */
  public double busyShare(long coresOfTask) {
    return coreSeconds == 0 ? 0 : Math.min(1, heldSeconds * coresOfTask / coreSeconds);
  }

  /** Returns the average number of executors at a time. */
  public double atOnce() {
    return spanSeconds > 0 ? aliveSeconds / spanSeconds : count;
  }

  /** Returns how many executors at a time have the busy part of the work, and a margin. */
  public long wanted(long coresOfTask) {
    return (long) Math.max(1, Math.ceil(atOnce() * busyShare(coresOfTask) * Limits.IDLE_MARGIN));
  }

  /** Returns true if so much of the core time was idle that fewer executors are worth a trial. */
  public boolean areIdle(long coresOfTask) {
    return 100 * (1 - busyShare(coresOfTask)) >= JobLimits.IDLE_PERCENT
        && coreSeconds >= Limits.IDLE_CORE_SECONDS_MIN
        && killedForMemory + outOfHeap + lostUnexplained == 0 // Those that stayed had more to do.
        && count > 1;
  }

  /** Returns the share of the tasks' time that garbage collection took, in percent. */
  public double gcPercent() {
    return runSeconds == 0 ? 0 : 100 * gcSeconds / runSeconds;
  }

  /** Returns true if garbage collection took so much that the heap is too small. */
  public boolean isCollecting() {
    return gcPercent() >= JobLimits.GC_PERCENT && gcSeconds >= Limits.GC_SECONDS_MIN;
  }

  /** Returns the average number of cores that the tasks of one executor kept busy. */
  public double busyCores() {
    return aliveSeconds == 0 ? 0 : cpuSeconds / aliveSeconds;
  }
}
