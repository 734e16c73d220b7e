/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

/** The sums over the tasks of a stage or of an executor. */
final class TaskSums {
  long tasks;
  long failed;
  long killed;
  long speculative;
  long heldMillis; // from the launch to the end: so long a task kept its cores
  long runMillis;
  long cpuNanos;
  long gcMillis;
  long startMillis;
  long shuffleWaitMillis;
  long inputBytes;
  long inputRecords;
  long outputBytes;
  long outputRecords;
  long shuffleReadBytes;
  long shuffleRemoteBytes;
  long shuffleReadRecords;
  long shuffleWriteBytes;
  long shuffleWriteNanos;
  long shuffleWriteRecords;
  long resultBytes;
  long resultMillis;
  long memorySpillBytes;
  long diskSpillBytes;
  long spilledTasks;
  long peakExecutionBytes;

  /**
   * Adds a task.
   *
   * @param timesCounted how often Spark has counted its run time
   */
  void add(SparkEvent info, SparkEvent metrics, long timesCounted) {
    tasks++;
    failed += info.flag("Failed") ? 1 : 0;
    killed += info.flag("Killed") ? 1 : 0;
    speculative += info.flag("Speculative") ? 1 : 0;
    long run = metrics.count("Executor Run Time") / timesCounted;
    runMillis += run;
    heldMillis += Math.max(run, info.count("Finish Time") - info.count("Launch Time"));
    cpuNanos += metrics.count("Executor CPU Time");
    gcMillis += metrics.count("JVM GC Time");
    startMillis += metrics.count("Executor Deserialize Time");
    resultBytes += metrics.count("Result Size");
    resultMillis += metrics.count("Result Serialization Time");
    memorySpillBytes += metrics.count("Memory Bytes Spilled");
    diskSpillBytes += metrics.count("Disk Bytes Spilled");
    spilledTasks += metrics.count("Disk Bytes Spilled") > 0 ? 1 : 0;
    peakExecutionBytes = Math.max(peakExecutionBytes, metrics.count("Peak Execution Memory"));
    SparkEvent input = metrics.object("Input Metrics");
    inputBytes += input.count("Bytes Read");
    inputRecords += input.count("Records Read");
    SparkEvent output = metrics.object("Output Metrics");
    outputBytes += output.count("Bytes Written");
    outputRecords += output.count("Records Written");
    SparkEvent read = metrics.object("Shuffle Read Metrics");
    shuffleReadBytes += shuffled(read);
    shuffleRemoteBytes += read.count("Remote Bytes Read");
    shuffleReadRecords += read.count("Total Records Read");
    shuffleWaitMillis += read.count("Fetch Wait Time");
    SparkEvent write = metrics.object("Shuffle Write Metrics");
    shuffleWriteBytes += write.count("Shuffle Bytes Written");
    shuffleWriteNanos += write.count("Shuffle Write Time");
    shuffleWriteRecords += write.count("Shuffle Records Written");
  }

  /** Returns how much a task read, of files and of the shuffle. */
  static long bytesRead(SparkEvent metrics) {
    return metrics.object("Input Metrics").count("Bytes Read")
        + shuffled(metrics.object("Shuffle Read Metrics"));
  }

  private static long shuffled(SparkEvent read) {
    return read.count("Remote Bytes Read") + read.count("Local Bytes Read");
  }

  double cpuMillis() {
    return cpuNanos / 1e6;
  }
}
