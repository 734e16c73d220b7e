/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.tables.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * The executors of a job, together.
 *
 * @param count of executors
 * @param aliveSeconds of all of them
 * @param coreSeconds alive, times the cores of each
 * @param spanSeconds from the first that came to the last that went
 * @param peakRssBytes of one executor; 0 when the log has none
 * @param peakHeapBytes of one executor, with what Spark holds off the heap; 0 when the log has none
 * @param killedForMemory executors that were removed for want of memory
 */
record Executors(
    int count,
    double aliveSeconds,
    double coreSeconds,
    double spanSeconds,
    double cpuSeconds,
    double runSeconds,
    double gcSeconds,
    long peakRssBytes,
    long peakHeapBytes,
    int killedForMemory,
    long coresOfOne) {

  static Executors of(Table table) {
    double alive = 0;
    double coreSeconds = 0;
    double cpu = 0;
    double run = 0;
    double gc = 0;
    long rss = 0;
    long heap = 0;
    int killed = 0;
    long cores = 0;
    Instant first = Instant.MAX;
    Instant last = Instant.MIN;
    for (int row = 0; row < table.rows().size(); row++) {
      cpu += table.number(row, "cpu_ms") / 1000;
      run += table.number(row, "run_ms") / 1000;
      gc += table.number(row, "gc_ms") / 1000;
      rss = Math.max(rss, table.count(row, "peak_rss_bytes"));
      heap =
          Math.max(
              heap, table.count(row, "peak_heap_bytes") + table.count(row, "peak_offheap_bytes"));
      killed += isForMemory(table.text(row, "removed_reason")) ? 1 : 0;
      cores = Math.max(cores, table.count(row, "cores"));
      if (table.at(row, "added") instanceof Instant added
          && table.at(row, "until") instanceof Instant until
          && until.isAfter(added)) {
        double seconds = Duration.between(added, until).toMillis() / 1000.0;
        alive += seconds;
        coreSeconds += seconds * table.count(row, "cores");
        first = added.isBefore(first) ? added : first;
        last = until.isAfter(last) ? until : last;
      }
    }
    double span = last.isAfter(first) ? Duration.between(first, last).toMillis() / 1000.0 : 0;
    return new Executors(
        table.rows().size(), alive, coreSeconds, span, cpu, run, gc, rss, heap, killed, cores);
  }

  private static boolean isForMemory(String reason) {
    // 137 is 128 and the number of SIGKILL, which the kernel sends for want of memory.
    String lower = reason.toLowerCase(Locale.ROOT);
    return lower.contains("oom")
        || lower.contains("outofmemory")
        || lower.contains("memory limit")
        || lower.contains("exit code 137")
        || lower.contains("exit code: 137");
  }

  /** Cores at a time, on average; 0 when it is not known. */
  double cores() {
    return spanSeconds == 0 ? 0 : coreSeconds / spanSeconds;
  }

  /** Cores that an executor's tasks kept busy, on average. */
  double busyCores() {
    return aliveSeconds == 0 ? 0 : cpuSeconds / aliveSeconds;
  }
}
