/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.time.Instant;

/** The known facts about an attempt of a stage. */
final class StageFacts {
  final TaskSums sums = new TaskSums();
  final SparkDurations durations = new SparkDurations();
  final LongestTasks longest = new LongestTasks();
  String name;
  Instant submitted;
  Instant completed;
  String failure;
  String firstError;
  private long withoutRows;
  private long withoutRowsButBytes;
  long scanMillis;
  long filesRead;
  long filesReadBytes;
  long filesWritten;
  long partsWritten;
  long writtenBytes;
  long commitMillis;

  void describe(SparkEvent info) {
    String given = Redaction.label(info.text("Stage Name"));
    name = given == null ? name : given;
    Instant start = info.time("Submission Time");
    submitted = start == null ? submitted : start;
    Instant end = info.time("Completion Time");
    completed = end == null ? completed : end;
    String reason = FailureText.of(info.text("Failure Reason"));
    failure = reason == null ? failure : reason;
  }

  void task(SparkEvent info, SparkEvent metrics, SparkEvent reason, long timesCounted) {
    sums.add(info, metrics, timesCounted);
    firstError = firstError == null ? FailureText.ofTask(reason) : firstError;
    long launched = info.count("Launch Time");
    long finished = info.count("Finish Time");
    // A task that was killed or failed says nothing of how long its work takes.
    boolean isWhole = !info.flag("Failed") && !info.flag("Killed");
    if (isWhole && launched > 0 && finished >= launched) {
      durations.add(finished - launched);
      String executor = info.text("Executor ID");
      longest.add(
          finished - launched,
          TaskSums.bytesRead(metrics),
          executor == null ? "" : Redaction.label(executor));
    }
    SparkEvent input = metrics.object("Input Metrics");
    if (metrics.has("Input Metrics") && input.count("Records Read") == 0 && !info.flag("Failed")) {
      withoutRows++;
      withoutRowsButBytes += input.count("Bytes Read") > 0 ? 1 : 0;
    }
  }

  /**
   * Returns the number of tasks that were to read a part of the input but found no row. In a stage
   * that also reads a shuffle, a task may have had no input to read. There, only tasks that read
   * bytes of the input are counted.
   */
  long emptyTasks() {
    boolean onlyReadsInput =
        sums.shuffleReadBytes == 0 && (sums.inputRecords > 0 || sums.inputBytes > 0);
    return onlyReadsInput ? withoutRows : withoutRowsButBytes;
  }

  /** Adds a value to a SQL metric, which is given by its name. */
  void metric(String metric, long value) {
    switch (metric) {
      case "scan time" -> scanMillis += value;
      case "number of files read" -> filesRead += value;
      case "size of files read" -> filesReadBytes += value;
      case "number of written files" -> filesWritten += value;
      case "number of dynamic part" -> partsWritten += value;
      case "written output" -> writtenBytes += value;
      case "task commit time", "job commit time" -> commitMillis += value;
      default -> {
        // This metric is needed only to find the stage of its operator.
      }
    }
  }
}
