/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.outcome.Api;
import io.penstock.simulator.cluster.scenario.JobSpec;

/**
 * The position of a thread in its task. A task first reads. For each file it then sends Create and
 * the parts. At its end it completes all files. Instead, an inline file is one PUT.
 */
final class Cursor {
  private final JobSpec job;
  private final Task task;
  private final long partNanos;
  private final long readNanos;
  private int read;
  private int file;
  private int part = -1;
  private int completed;

  private Api api;
  private int place;
  private long computeNanos;

  Cursor(JobSpec job, Task task) {
    this.job = job;
    this.task = task;
    long partBytes = Math.min(job.partBytes(), job.fileBytes());
    this.partNanos = nanos(partBytes);
    this.readNanos = nanos(job.readBytes());
  }

  private long nanos(long bytes) {
    return (long) (1e9 * bytes / job.bytesPerSecond() * task.slowness());
  }

  Task task() {
    return task;
  }

  /** Moves to the next request. Returns false when there is none. */
  boolean next() {
    if (read < job.reads()) {
      step(Api.GET, read, read == 0 ? 0 : readNanos);
      read++;
    } else if (job.isInline()) {
      if (file == task.files()) {
        return false;
      }
      step(Api.PUT, file++, (long) (job.perFile().toNanos() * task.slowness()) + lastPartNanos());
    } else if (file < task.files() && part < 0) {
      step(Api.CREATE, file, (long) (job.perFile().toNanos() * task.slowness()));
      part = 0;
    } else if (file < task.files()) {
      part++;
      boolean last = part == job.parts();
      step(Api.PART, file, last ? lastPartNanos() : partNanos);
      if (last) {
        file++;
        part = -1;
      }
    } else if (completed < task.files()) {
      step(Api.COMPLETE, completed++, 0);
    } else {
      return false;
    }
    return true;
  }

  private long lastPartNanos() {
    return nanos(job.fileBytes() - job.partBytes() * (job.parts() - 1));
  }

  private void step(Api next, int fileOrRead, long nanos) {
    api = next;
    place = task.place(next.traffic() == Traffic.READ ? -1 - fileOrRead : fileOrRead);
    computeNanos = nanos;
  }

  Api api() {
    return api;
  }

  int place() {
    return place;
  }

  /** Returns how long the thread computes before it sends the request. */
  long computeNanos() {
    return computeNanos;
  }
}
