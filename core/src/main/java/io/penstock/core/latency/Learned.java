/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The latencies of one kind of request. Recording takes no lock; every so many samples the thread
 * that recorded the last one works out the quantiles, which are then only read.
 */
final class Learned {
  private static final long UNIT_NANOS = 100_000;
  private static final long LONGEST_UNITS = 6_000_000; // ten minutes
  private static final int DIGITS = 2;

  /** Two spans are remembered, so the quantiles come from 5,000 to 10,000 samples. */
  private static final int SPAN_SAMPLES = 5_000;

  /** A span also ends by age, but not before its own samples say something about the tail. */
  private static final long SPAN_NANOS = 60_000_000_000L;

  private static final int SPAN_SAMPLES_MIN = 1_000;

  private static final int STEP_MIN = 16;
  private static final int STEP_MAX = 250;

  private final double hedgeQuantile;
  private final Recorder recorder = new Recorder(1, LONGEST_UNITS, DIGITS);
  private final AtomicInteger fresh = new AtomicInteger();
  private final ReentrantLock learning = new ReentrantLock();
  private volatile int step = STEP_MIN;
  private volatile Latencies latest = Latencies.NONE;

  private Histogram interval;
  private final Histogram current = new Histogram(1, LONGEST_UNITS, DIGITS);
  private final Histogram both = new Histogram(1, LONGEST_UNITS, DIGITS);
  private long spanStartNanos;

  Learned(double hedgeQuantile, long nowNanos) {
    this.hedgeQuantile = hedgeQuantile;
    this.spanStartNanos = nowNanos;
  }

  Latencies latest() {
    return latest;
  }

  void record(long nanos, long nowNanos) {
    recorder.recordValue(Math.min(LONGEST_UNITS, Math.max(0, nanos) / UNIT_NANOS));
    if (fresh.incrementAndGet() >= step && learning.tryLock()) {
      try {
        learn(nowNanos);
      } finally {
        learning.unlock();
      }
    }
  }

  private void learn(long nowNanos) {
    fresh.set(0);
    interval = recorder.getIntervalHistogram(interval);
    current.add(interval);
    both.add(interval);
    long samples = both.getTotalCount();
    latest = new Latencies(samples, nanosAt(0.90), nanosAt(0.95), nanosAt(hedgeQuantile));
    step = (int) Math.min(STEP_MAX, Math.max(STEP_MIN, samples / 16));
    boolean old = nowNanos - spanStartNanos >= SPAN_NANOS;
    if (current.getTotalCount() >= (old ? SPAN_SAMPLES_MIN : SPAN_SAMPLES)) {
      // What both spans held is forgotten but for the one that ends here.
      both.reset();
      both.add(current);
      current.reset();
      spanStartNanos = nowNanos;
    }
  }

  private long nanosAt(double quantile) {
    long units = both.medianEquivalentValue(both.getValueAtPercentile(100 * quantile));
    return units * UNIT_NANOS;
  }
}
