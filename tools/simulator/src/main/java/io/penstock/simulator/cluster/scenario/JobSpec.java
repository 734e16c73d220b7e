/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * The work of a cluster. Each task first reads. It then writes its files one after the other and
 * completes them at its end.
 *
 * @param tasks number of tasks; each is assigned to the next free thread
 * @param files number of files of the whole job
 * @param isInline whether each file is one PUT, as those that a commit sends, and not an upload
 * @param bytesPerSecond bytes that a thread computes per second
 * @param perFile time that a file takes besides its bytes and its requests
 * @param spread share by which tasks are slower or faster than that
 * @param reads number of reads of each task
 * @param start when the job starts
 * @param setup time from the start of the job to its first task
 * @param startSpread period over which the threads get their first task
 */
public record JobSpec(
    int executors,
    int cores,
    int tasks,
    int files,
    long fileBytes,
    boolean isInline,
    long partBytes,
    double bytesPerSecond,
    Duration perFile,
    double spread,
    int reads,
    long readBytes,
    Duration start,
    Duration setup,
    Duration startSpread) {
  private static final int THREADS_MOST = 200_000;
  private static final int TASKS_MOST = 1_000_000;

  public JobSpec {
    if (executors < 1 || cores < 1 || tasks < 1) {
      throw new IllegalArgumentException("need at least one executor, core and task");
    }
    if ((long) executors * cores > THREADS_MOST || tasks > TASKS_MOST) {
      throw new IllegalArgumentException("need at most 200,000 threads and 1,000,000 tasks");
    }
    if (files < 0 || reads < 0 || files + reads == 0) {
      throw new IllegalArgumentException("a job needs files to write or reads");
    }
    if (fileBytes < 0 || partBytes < 1 || readBytes < 0) {
      throw new IllegalArgumentException("sizes must be positive");
    }
    if (!(bytesPerSecond > 0) || !(spread >= 0 && spread < 1)) {
      throw new IllegalArgumentException("compute must be positive and its spread below 1");
    }
  }

  /** Returns the number of parts of a file, at least 1. */
  public int parts() {
    return (int) Math.max(1, (fileBytes + partBytes - 1) / partBytes);
  }

  /** Returns the same job on another number of machines. */
  public JobSpec on(int otherExecutors, int otherCores) {
    return new JobSpec(
        otherExecutors,
        otherCores,
        tasks,
        files,
        fileBytes,
        isInline,
        partBytes,
        bytesPerSecond,
        perFile,
        spread,
        reads,
        readBytes,
        start,
        setup,
        startSpread);
  }

  /** Returns the same job with another start. */
  public JobSpec startingAt(Duration other) {
    return new JobSpec(
        executors,
        cores,
        tasks,
        files,
        fileBytes,
        isInline,
        partBytes,
        bytesPerSecond,
        perFile,
        spread,
        reads,
        readBytes,
        other,
        setup,
        startSpread);
  }
}
