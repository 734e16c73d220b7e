/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.time;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A clock that moves only when a caller sleeps or advances it. */
public final class VirtualTime implements Time {
  private final Instant epoch;
  private final TreeMap<Long, List<Step>> later = new TreeMap<>();
  private long nowNanos;

  public VirtualTime(Instant epoch) {
    this.epoch = epoch;
  }

  @Override
  public synchronized long nowNanos() {
    return nowNanos;
  }

  @Override
  public synchronized Instant now() {
    return epoch.plusNanos(nowNanos);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before a sleep of " + duration);
    }
    if (!duration.isNegative()) {
      advance(duration);
    }
  }

  /**
   * Lets the time pass and runs the steps that become due, in order, on the calling thread and
   * under the clock's lock. An IOException of a step is thrown as an UncheckedIOException.
   *
   * @throws IllegalArgumentException when the duration is negative
   */
  public synchronized void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back, got " + duration);
    }
    long end = nowNanos + duration.toNanos();
    while (!later.isEmpty() && later.firstKey() <= end) {
      Map.Entry<Long, List<Step>> due = later.pollFirstEntry();
      nowNanos = Math.max(nowNanos, due.getKey());
      due.getValue().forEach(Step::runUnchecked);
    }
    nowNanos = end;
  }

  /** Something that happens at a time. */
  @FunctionalInterface
  public interface Step {
    void run() throws IOException;

    private void runUnchecked() {
      try {
        run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Runs a step on the thread that lets the delay pass, see {@link #advance}. */
  public synchronized void after(Duration delay, Step step) {
    later.computeIfAbsent(nowNanos + delay.toNanos(), at -> new ArrayList<>()).add(step);
  }
}
