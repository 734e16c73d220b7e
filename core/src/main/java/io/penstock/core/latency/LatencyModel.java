/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import io.penstock.core.store.Operation;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Learns how long requests take, by operation and by size of the content. Old samples are dropped:
 * the results come from the last 5,000 to 10,000 samples of a kind, or from the last minutes. Safe
 * for many threads, without a lock that all of them share.
 */
public final class LatencyModel {
  private final double hedgeQuantile;
  private final AtomicReferenceArray<LatencyHistogram> kinds =
      new AtomicReferenceArray<>(Operation.values().length * SizeClass.COUNT);

  /**
   * @param hedgeQuantile the quantile that {@link Latencies#hedgeNanos()} returns, in (0, 1)
   */
  public LatencyModel(double hedgeQuantile) {
    if (!(hedgeQuantile > 0 && hedgeQuantile < 1)) {
      throw new IllegalArgumentException("quantile must be in (0, 1), got " + hedgeQuantile);
    }
    this.hedgeQuantile = hedgeQuantile;
  }

  /**
   * Returns what is known about requests of a kind; only zeros before the first samples.
   *
   * @param bytes number of content bytes, sent or received; requests of similar size are one kind
   */
  public Latencies of(Operation operation, long bytes) {
    LatencyHistogram learned = kinds.get(kind(operation, bytes));
    return learned == null ? Latencies.NONE : learned.latest();
  }

  /**
   * Records the duration of a request that was answered.
   *
   * @param nanos the duration; longer ones than ten minutes count as ten minutes
   * @param nowNanos the end of the request, by one monotonic clock for all calls
   */
  public void took(Operation operation, long bytes, long nanos, long nowNanos) {
    learned(kind(operation, bytes), nowNanos).record(nanos, nowNanos);
  }

  /**
   * Records a request that was cut or lost after this time, so that its full duration is longer and
   * unknown. It counts as if it had been answered at this time; otherwise deadlines would make the
   * learned durations, and so themselves, shorter and shorter. An attempt that was cut before the
   * p90 of its kind is not counted, because it says nothing.
   */
  public void tookAtLeast(Operation operation, long bytes, long nanos, long nowNanos) {
    if (nanos >= of(operation, bytes).p90Nanos()) {
      took(operation, bytes, nanos, nowNanos);
    }
  }

  /** Returns the index of a kind of request, from 0 to {@link #kinds()} - 1. */
  @SuppressWarnings("EnumOrdinal") // an index into an array that lives as long as the process
  public static int kind(Operation operation, long bytes) {
    return operation.ordinal() * SizeClass.COUNT + SizeClass.of(bytes);
  }

  public static int kinds() {
    return Operation.values().length * SizeClass.COUNT;
  }

  private LatencyHistogram learned(int kind, long nowNanos) {
    LatencyHistogram learned = kinds.get(kind);
    if (learned == null) {
      kinds.compareAndSet(kind, null, new LatencyHistogram(hedgeQuantile, nowNanos));
      learned = kinds.get(kind);
    }
    return learned;
  }
}
