/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.latency.Latencies;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Decides how long one attempt may take: a multiple of what 95 of 100 requests of its kind take, so
 * that a straggler is given up soon and an ordinary slow one is not. Nobody knows a quantile of few
 * requests, so deadlines start generous.
 */
public final class DeadlineDecider {
  /** There is no deadline; the socket's timeout is the limit. */
  public static final long NEVER = Long.MAX_VALUE;

  // Of S3's part uploads one in 400 takes longer than six times the p95 (5.3 s there). A quantile
  // above the hedges' would be made of attempts that were cut, and follow the deadline itself.
  private static final int TIMES_P95 = 6;

  /** A p95 of a hundred has five above it. */
  private static final int SAMPLES = 100;

  private static final int TIMES_P90 = 10;

  /** A p90 has one above it then, so it counts ten times. */
  private static final int FEW_SAMPLES = 10;

  /** The first answers of a crowd are its fastest; they say nothing of the p90 yet. */
  private static final int FEW_SAMPLES_FOR_EACH_UNDER_WAY = 9;

  /** A judgement: a collection of garbage, or a lost packet and its repetition, takes less. */
  private static final long MIN_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long FEW_MIN_NANOS = Duration.ofSeconds(2).toNanos();

  /**
   * Assumed of the slowest link that is worth using: 64 requests at 1 MiB/s each fill half a
   * Gbit/s, less than the smallest cloud machine has.
   */
  private static final long SLOW_BYTES_PER_SECOND = 1 << 20;

  private final DeadlineConfig config;
  private final LatencyModel model;
  private final AtomicReferenceArray<DeadlineStretch> kinds =
      new AtomicReferenceArray<>(LatencyModel.kinds());

  private final AtomicIntegerArray underWay = new AtomicIntegerArray(LatencyModel.kinds());

  public DeadlineDecider(DeadlineConfig config, LatencyModel model) {
    this.config = config;
    this.model = model;
  }

  /**
   * Returns how long an attempt that starts now may take.
   *
   * @param bytes of content, both ways
   */
  public long deadlineNanos(Operation operation, long bytes) {
    if (!config.enabled()) {
      return NEVER;
    }
    double contentSeconds = (double) bytes / SLOW_BYTES_PER_SECOND;
    double most = config.max().toNanos() + contentSeconds * 1e9;
    return (long) (Math.min(most, usual(operation, bytes)) * patience(operation, bytes).stretch());
  }

  private double usual(Operation operation, long bytes) {
    Latencies seen = model.of(operation, bytes);
    if (seen.samples() >= SAMPLES) {
      return Math.max((double) MIN_NANOS, (double) (TIMES_P95 * seen.p95Nanos()));
    }
    int underWay = this.underWay.get(LatencyModel.kind(operation, bytes));
    if (seen.samples() >= Math.max(FEW_SAMPLES, FEW_SAMPLES_FOR_EACH_UNDER_WAY * underWay)) {
      return Math.max((double) FEW_MIN_NANOS, (double) (TIMES_P90 * seen.p90Nanos()));
    }
    return Double.MAX_VALUE;
  }

  /** An attempt of this kind is under way from now on. */
  public void began(Operation operation, long bytes) {
    underWay.incrementAndGet(LatencyModel.kind(operation, bytes));
  }

  /** It ended, well or badly. */
  public void ended(Operation operation, long bytes) {
    underWay.decrementAndGet(LatencyModel.kind(operation, bytes));
  }

  /** Content that has moved and then stood still for longer is given up. */
  public long stallNanos() {
    return config.enabled() ? config.stall().toNanos() : NEVER;
  }

  public void answered(Operation operation, long bytes) {
    patience(operation, bytes).answered();
  }

  /** An attempt was given up at its deadline. */
  public void cut(Operation operation, long bytes, long startNanos, long nowNanos) {
    patience(operation, bytes).cut(startNanos, nowNanos);
  }

  private DeadlineStretch patience(Operation operation, long bytes) {
    int kind = LatencyModel.kind(operation, bytes);
    DeadlineStretch patience = kinds.get(kind);
    if (patience == null) {
      kinds.compareAndSet(kind, null, new DeadlineStretch());
      patience = kinds.get(kind);
    }
    return patience;
  }
}
