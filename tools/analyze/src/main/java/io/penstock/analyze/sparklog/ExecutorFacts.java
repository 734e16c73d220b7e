/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.time.Instant;
import java.util.regex.Pattern;

/** The known facts about an executor. */
final class ExecutorFacts {
  private static final Pattern WANTED =
      Pattern.compile(
          "(?i)killed by driver|\\bidle\\b|decommission|exit(ed with)? (code|status):? ?0\\b"
              + "|explicit termination request");

  final TaskSums sums = new TaskSums();
  String host;
  long cores;
  Instant added;
  Instant removed;
  String removedReason;
  long peakHeap;
  long peakOffHeap;
  long peakRss;

  void added(SparkEvent event) {
    SparkEvent info = event.object("Executor Info");
    host = Redaction.label(info.text("Host"));
    cores = info.count("Total Cores");
    added = event.time("Timestamp");
  }

  void removed(SparkEvent event) {
    removed = event.time("Timestamp");
    removedReason = Redaction.label(event.text("Removed Reason"));
  }

  /**
   * Returns true if the executor died, or was taken away, before the job was done with it. Spark
   * itself removes executors that are idle or decommissioned, and those end with exit code 0.
   */
  boolean isLost() {
    return removedReason != null && !WANTED.matcher(removedReason).find();
  }

  void task(SparkEvent info, SparkEvent metrics, long timesCounted) {
    sums.add(info, metrics, timesCounted);
    host = host == null ? Redaction.label(info.text("Host")) : host;
  }

  /**
   * Records peaks of memory. Off-heap memory consists of the JVM's own memory, Spark's memory and
   * direct buffers. The resident set includes the JVM and the processes that it started, such as
   * Python.
   */
  void memory(SparkEvent peaks) {
    peakHeap = Math.max(peakHeap, peaks.count("JVMHeapMemory"));
    long offHeap =
        peaks.count("JVMOffHeapMemory")
            + peaks.count("OffHeapUnifiedMemory")
            + peaks.count("DirectPoolMemory");
    peakOffHeap = Math.max(peakOffHeap, offHeap);
    long rss =
        peaks.count("ProcessTreeJVMRSSMemory")
            + peaks.count("ProcessTreePythonRSSMemory")
            + peaks.count("ProcessTreeOtherRSSMemory");
    peakRss = Math.max(peakRss, rss);
  }
}
