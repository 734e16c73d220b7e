/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

/** The sums over the tasks of a stage or of an executor. */
final class TaskSums {
  long tasks;
  long failed;
  long speculative;
  long runMillis;
  long cpuNanos;
  long gcMillis;
  long inputBytes;
  long inputRecords;
  long outputBytes;
  long outputRecords;
  long shuffleReadBytes;
  long shuffleWriteBytes;

  void add(Event info, Event metrics) {
    tasks++;
    failed += info.flag("Failed") ? 1 : 0;
    speculative += info.flag("Speculative") ? 1 : 0;
    runMillis += metrics.count("Executor Run Time");
    cpuNanos += metrics.count("Executor CPU Time");
    gcMillis += metrics.count("JVM GC Time");
    Event input = metrics.object("Input Metrics");
    inputBytes += input.count("Bytes Read");
    inputRecords += input.count("Records Read");
    Event output = metrics.object("Output Metrics");
    outputBytes += output.count("Bytes Written");
    outputRecords += output.count("Records Written");
    Event read = metrics.object("Shuffle Read Metrics");
    shuffleReadBytes += read.count("Remote Bytes Read") + read.count("Local Bytes Read");
    shuffleWriteBytes += metrics.object("Shuffle Write Metrics").count("Shuffle Bytes Written");
  }

  double cpuMillis() {
    return cpuNanos / 1e6;
  }
}
