/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The latencies of one kind of request. Recording takes no lock. After a fixed number of samples,
 * the thread that recorded the last one computes the quantiles; other threads only read the
 * results.
 */
final class LatencyHistogram {
  /** The unit of the histogram, a tenth of a millisecond: no store answers faster. */
  private static final long UNIT_NANOS = 100_000;

  private static final long LONGEST_UNITS = 6_000_000; // ten minutes

  /**
   * Two significant digits: quantiles are exact to 1 %, which is less than their statistical error.
   */
  private static final int DIGITS = 2;

  /**
   * Samples in one span. Two spans are kept, so the quantiles come from 5,000 to 10,000 samples.
   */
  private static final int SPAN_SAMPLES = 5_000;

  /** A span also ends after this time, but only if it has enough samples to show the tail. */
  private static final long SPAN_NANOS = 60_000_000_000L;

  private static final int SPAN_SAMPLES_MIN = 1_000;

  /** Quantiles are computed again after 16 samples at first, and after up to 250 later. */
  private static final int STEP_MIN = 16;

  private static final int STEP_MAX = 250;

  private final double quantile;
  private final AtomicInteger fresh = new AtomicInteger();
  private final ReentrantLock learning = new ReentrantLock();
  private volatile int step = STEP_MIN;
  private volatile Latencies latest = Latencies.NONE;

  /** The current span. Threads record into it while one thread reads it. */
  private volatile AtomicHistogram current = span();

  /**
   * The previous span, which only the learning thread reads. Counts of type int need half the
   * memory.
   */
  private IntCountsHistogram before = new IntCountsHistogram(1, LONGEST_UNITS, DIGITS);

  private long spanStartNanos;

  LatencyHistogram(double quantile, long nowNanos) {
    this.quantile = quantile;
    this.spanStartNanos = nowNanos;
  }

  Latencies latest() {
    return latest;
  }

  void record(long nanos, long nowNanos) {
    current.recordValue(Math.min(LONGEST_UNITS, Math.max(0, nanos) / UNIT_NANOS));
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
    IntCountsHistogram both = before.copy();
    both.add(current);
    long samples = both.getTotalCount();
    long spanSamples = samples - before.getTotalCount();
    latest =
        new Latencies(samples, nanosAt(both, 0.90), nanosAt(both, 0.95), nanosAt(both, quantile));
    step = (int) Math.min(STEP_MAX, Math.max(STEP_MIN, samples / 16));
    boolean old = nowNanos - spanStartNanos >= SPAN_NANOS;
    if (spanSamples >= (old ? SPAN_SAMPLES_MIN : SPAN_SAMPLES)) {
      endSpan(nowNanos);
    }
  }

  /**
   * Ends the current span, which replaces the previous one. A sample that is recorded at this
   * moment may be lost.
   */
  private void endSpan(long nowNanos) {
    AtomicHistogram ended = current;
    current = span();
    before = new IntCountsHistogram(1, LONGEST_UNITS, DIGITS);
    before.add(ended);
    spanStartNanos = nowNanos;
  }

  private static AtomicHistogram span() {
    return new AtomicHistogram(1, LONGEST_UNITS, DIGITS);
  }

  private static long nanosAt(IntCountsHistogram samples, double quantile) {
    long units = samples.medianEquivalentValue(samples.getValueAtPercentile(100 * quantile));
    return units * UNIT_NANOS;
  }
}
