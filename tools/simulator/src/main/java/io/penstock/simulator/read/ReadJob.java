/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

import io.penstock.s3model.Latency;

/**
 * The tasks of one process that read a columnar table. A task reads one range after another, such
 * as the columns of a row group, and decodes each one before it reads the next.
 *
 * @param slots tasks that run at once
 * @param tasks tasks in all
 * @param rangesATask ranges that each task reads
 * @param rangeBytes size of each range
 * @param firstByte time from a request to the first byte of its answer
 * @param connectionBytesASecond most that one connection gives
 * @param networkBytesASecond most that all connections give together, shared equally
 * @param decodeBytesASecond bytes that a task decodes
 */
public record ReadJob(
    int slots,
    int tasks,
    int rangesATask,
    long rangeBytes,
    Latency firstByte,
    long connectionBytesASecond,
    long networkBytesASecond,
    long decodeBytesASecond) {
  public ReadJob {
    atLeastOne("slots", slots);
    atLeastOne("tasks", tasks);
    atLeastOne("ranges", rangesATask);
    atLeastOne("bytes of a range", rangeBytes);
    atLeastOne("bytes a second of a connection", connectionBytesASecond);
    atLeastOne("bytes a second of the network", networkBytesASecond);
    atLeastOne("bytes a second to decode", decodeBytesASecond);
  }

  private static void atLeastOne(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s must be at least 1, got %d".formatted(what, value));
    }
  }

  /** Returns the bytes that all tasks read together. */
  public long totalBytes() {
    return (long) tasks * rangesATask * rangeBytes;
  }
}
