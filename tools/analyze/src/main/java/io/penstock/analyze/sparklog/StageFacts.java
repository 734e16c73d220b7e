/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.time.Instant;

/** The facts about an attempt of a stage, as far as they are known. */
final class StageFacts {
  final TaskSums sums = new TaskSums();
  final Durations durations = new Durations();
  String name;
  Instant submitted;
  Instant completed;
  private long withoutRows;
  private long withoutRowsButBytes;
  long scanMillis;
  long filesRead;
  long filesReadBytes;
  long filesWritten;
  long writtenBytes;
  long commitMillis;

  void describe(Event info) {
    String given = Redaction.label(info.text("Stage Name"));
    name = given == null ? name : given;
    Instant start = info.time("Submission Time");
    submitted = start == null ? submitted : start;
    Instant end = info.time("Completion Time");
    completed = end == null ? completed : end;
  }

  void task(Event info, Event metrics) {
    sums.add(info, metrics);
    long launched = info.count("Launch Time");
    long finished = info.count("Finish Time");
    if (launched > 0 && finished >= launched) {
      durations.add(finished - launched);
    }
    Event input = metrics.object("Input Metrics");
    if (metrics.has("Input Metrics") && input.count("Records Read") == 0 && !info.flag("Failed")) {
      withoutRows++;
      withoutRowsButBytes += input.count("Bytes Read") > 0 ? 1 : 0;
    }
  }

  /**
   * Tasks that were to read a part of the input and found no row in it. Tasks of a stage that reads
   * a shuffle too may have had nothing of the input to read, so there bytes must have been read.
   */
  long emptyTasks() {
    boolean onlyReadsInput =
        sums.shuffleReadBytes == 0 && (sums.inputRecords > 0 || sums.inputBytes > 0);
    return onlyReadsInput ? withoutRows : withoutRowsButBytes;
  }

  /** Adds a metric of SQL by its name. */
  void metric(String metric, long value) {
    switch (metric) {
      case "scan time" -> scanMillis += value;
      case "number of files read" -> filesRead += value;
      case "size of files read" -> filesReadBytes += value;
      case "number of written files" -> filesWritten += value;
      case "written output" -> writtenBytes += value;
      case "task commit time", "job commit time" -> commitMillis += value;
      default -> {
        // Known only to tell which stage its operator ran in.
      }
    }
  }
}
