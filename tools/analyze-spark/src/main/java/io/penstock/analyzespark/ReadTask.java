/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogPart;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of the logs that one task reads.
 *
 * @param storeSettings how buckets are reached; may hold secrets, and goes to executors as a part
 *     of the task alone, of which Spark logs and shows nothing
 */
record ReadTask(List<PartRef> parts, Map<String, String> storeSettings) implements Serializable {
  /** Few enough that a part is worth its opening. */
  private static final long LEAST_BYTES = 8L << 20;

  /** Few enough that a lost task is no loss, many enough that a terabyte is 16,000 tasks. */
  private static final long MOST_BYTES = 64L << 20;

  /** So that those that are done sooner find more to do. */
  private static final int TASKS_A_CORE = 4;

  /** Without the settings. */
  @Override
  public String toString() {
    return parts.toString();
  }

  /**
   * Shares logs out. A task has many parts where the logs are many small files, as those of S3 are.
   *
   * @param cores that will read at once
   */
  static List<ReadTask> of(List<LogFile> files, Map<String, String> settings, int cores) {
    long total = files.stream().mapToLong(file -> file.source().sizeBytes()).sum();
    long share = total / ((long) TASKS_A_CORE * Math.max(1, cores));
    long taskBytes = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, share));
    Map<String, String> sent = new TreeMap<>(settings);
    List<ReadTask> tasks = new ArrayList<>();
    List<PartRef> parts = new ArrayList<>();
    long bytes = 0;
    for (LogPart part : LogPart.cut(files, taskBytes)) {
      if (bytes > 0 && bytes + part.bytes() > taskBytes) {
        tasks.add(new ReadTask(List.copyOf(parts), sent));
        parts.clear();
        bytes = 0;
      }
      parts.add(PartRef.of(part));
      bytes += part.bytes();
    }
    if (!parts.isEmpty()) {
      tasks.add(new ReadTask(List.copyOf(parts), sent));
    }
    return tasks;
  }
}
