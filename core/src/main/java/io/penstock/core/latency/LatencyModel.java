/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import io.penstock.core.store.Operation;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Learns how long requests take, while they run, by operation and size of the content. It forgets:
 * what it tells comes from the last 5,000 to 10,000 samples of a kind, or from the last minutes.
 * Safe for many threads, without a lock that all of them meet.
 */
public final class LatencyModel {
  private final double hedgeQuantile;
  private final AtomicReferenceArray<LatencyHistogram> kinds =
      new AtomicReferenceArray<>(Operation.values().length * SizeClass.COUNT);

  /**
   * @param hedgeQuantile which quantile {@link Latencies#hedgeNanos()} is
   */
  public LatencyModel(double hedgeQuantile) {
    if (!(hedgeQuantile > 0 && hedgeQuantile < 1)) {
      throw new IllegalArgumentException("quantile must be in (0, 1), got " + hedgeQuantile);
    }
    this.hedgeQuantile = hedgeQuantile;
  }

  public Latencies of(Operation operation, long bytes) {
    LatencyHistogram learned = kinds.get(kind(operation, bytes));
    return learned == null ? Latencies.NONE : learned.latest();
  }

  /** A request was answered. */
  public void took(Operation operation, long bytes, long nanos, long nowNanos) {
    learned(kind(operation, bytes), nowNanos).record(nanos, nowNanos);
  }

  /**
   * A request was cut or lost after this time, so it would have taken longer. It counts as if it
   * had been answered then: deadlines cannot teach themselves to be too short. An attempt that was
   * cut while it was still an ordinary one says nothing.
   */
  public void tookAtLeast(Operation operation, long bytes, long nanos, long nowNanos) {
    if (nanos >= of(operation, bytes).p90Nanos()) {
      took(operation, bytes, nanos, nowNanos);
    }
  }

  /** Small numbers, one for each kind of request that is told apart. */
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
