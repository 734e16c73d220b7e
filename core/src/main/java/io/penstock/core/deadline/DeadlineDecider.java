/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.latency.Latencies;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Decides how long one attempt may take: a multiple of the p95 of requests of its kind. So a
 * straggler is cut soon, and an ordinary slow attempt is not. A quantile of few requests is not
 * reliable, so deadlines are long at first. Safe for use by many threads.
 */
public final class DeadlineDecider {
  /** There is no deadline; the socket's timeout is the limit. */
  public static final long NEVER = Long.MAX_VALUE;

  // One in 400 of S3's part uploads takes longer than six times the p95 (5.3 s there). A quantile
  // above the one for hedges would consist of attempts that were cut, and would follow the deadline
  // itself.
  private static final int TIMES_P95 = 6;

  /** The number of samples from which the p95 is used: of a hundred, five are above it. */
  private static final int SAMPLES = 100;

  private static final int TIMES_P90 = 10;

  /**
   * The number of samples from which the p90 is used. Only one sample is above it then, so the
   * deadline is ten times the p90.
   */
  private static final int FEW_SAMPLES = 10;

  /**
   * The number of samples needed for each attempt under way before the p90 is used. The first
   * answers of many concurrent attempts are the fastest ones, and show nothing about the p90.
   */
  private static final int FEW_SAMPLES_FOR_EACH_UNDER_WAY = 9;

  /**
   * The shortest deadline, chosen by judgement. A garbage collection, or a lost packet and its
   * retransmission, takes less.
   */
  private static final long MIN_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long FEW_MIN_NANOS = Duration.ofSeconds(2).toNanos();

  /**
   * The assumed speed of the slowest link that is worth using: 64 requests at 1 MiB/s each fill
   * half a Gbit/s, which is less than the smallest cloud machine has.
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
   * @param bytes number of content bytes, sent and received
   * @return nanoseconds; {@link #NEVER} if deadlines are off and the user has set no ceiling
   */
  public long deadlineNanos(Operation operation, long bytes) {
    return Math.min(learnedNanos(operation, bytes), ceilingNanos(operation, bytes));
  }

  private long ceilingNanos(Operation operation, long bytes) {
    return config.ceiling(operation).map(ceiling -> ceiling.nanos(bytes)).orElse(NEVER);
  }

  /** Returns the name of the setting that cut an attempt after this time, if it was one. */
  Optional<String> cutBy(Operation operation, long bytes, long afterNanos) {
    return config
        .ceiling(operation)
        .filter(ceiling -> afterNanos >= ceiling.nanos(bytes))
        .map(DeadlineConfig.Ceiling::setBy);
  }

  private long learnedNanos(Operation operation, long bytes) {
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

  /** Records that an attempt of this kind has begun. */
  public void began(Operation operation, long bytes) {
    underWay.incrementAndGet(LatencyModel.kind(operation, bytes));
  }

  /** Records that an attempt of this kind has ended, successfully or not. */
  public void ended(Operation operation, long bytes) {
    underWay.decrementAndGet(LatencyModel.kind(operation, bytes));
  }

  /**
   * Returns how long content that has begun to move may stop before the attempt is cut.
   *
   * @return nanoseconds; {@link #NEVER} if deadlines are off
   */
  public long stallNanos() {
    return config.enabled() ? config.stall().toNanos() : NEVER;
  }

  /** Records that an attempt of this kind was answered in time, be it with a refusal. */
  public void answered(Operation operation, long bytes) {
    patience(operation, bytes).answered();
  }

  /**
   * Records that an attempt was cut at its deadline.
   *
   * @param startNanos when it began, by {@link Watchdog#nowNanos}
   * @param nowNanos by the same clock
   */
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
