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
 * @param storeSettings the settings for access to buckets. They may hold secrets. They are sent to
 *     executors only inside the task, whose content Spark neither logs nor shows
 */
record ReadTask(List<PartRef> parts, Map<String, String> storeSettings) implements Serializable {
  /**
   * The lower limit of a task's size: large enough that reading is worth the cost of opening the
   * file.
   */
  private static final long LEAST_BYTES = 8L << 20;

  /**
   * The upper limit of a task's size: small enough that a lost task costs little, and large enough
   * that a terabyte needs only 16,000 tasks.
   */
  private static final long MOST_BYTES = 64L << 20;

  /** More tasks than cores, so that a core that finishes early gets another task. */
  private static final int TASKS_A_CORE = 4;

  /** Leaves out the settings, which may be secret. */
  @Override
  public String toString() {
    return parts.toString();
  }

  /**
   * Divides the logs into tasks. If the logs are many small files, as S3 writes them, a task has
   * many parts.
   *
   * @param cores the number of cores that read at the same time
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
