/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides which requests a partition rejects with 503. Each partition has one token bucket for
 * reads and one for writes.
 */
final class Throttle {
  private static final double MAX_DEBT_SECONDS = 0.25;

  /** A partition without a rejection for this long no longer counts as under load. */
  private static final long CALM_NANOS = 1_000_000_000L;

  private final ThrottleRule rule;
  private final Map<String, Partition> partitions = new HashMap<>();

  /** The state of one partition under load. */
  private static final class Partition {
    private final Map<Boolean, Bucket> buckets = new HashMap<>();
    private int splits;
    private long hotSinceNanos;
    private long rejectedNanos = Long.MIN_VALUE / 2;

    void rejected(ThrottleRule.Growth growth, long nowNanos) {
      if (nowNanos - rejectedNanos > CALM_NANOS) {
        hotSinceNanos = nowNanos;
      }
      rejectedNanos = nowNanos;
      boolean isDue = nowNanos - hotSinceNanos >= growth.after().toNanos();
      if (!growth.after().isZero() && splits < growth.times() && isDue) {
        splits++;
        hotSinceNanos = nowNanos;
      }
    }
  }

  private static final class Bucket {
    private double tokens;
    private long filledNanos;

    Bucket(double tokens, long nowNanos) {
      this.tokens = tokens;
      this.filledNanos = nowNanos;
    }
  }

  Throttle(ThrottleRule rule) {
    this.rule = rule;
  }

  /**
   * Returns true if the partition admits the call now.
   *
   * @param weight number of requests that the call counts for; tokens missing for them are owed
   */
  synchronized boolean admits(S3Call call, int weight, long nowNanos) {
    boolean isRead = call.operation().isRead();
    Partition partition = partitions.computeIfAbsent(rule.partition(call), id -> new Partition());
    double rate =
        (isRead ? rule.readsPerSecond() : rule.writesPerSecond())
            * rule.growth().start()
            * (1L << partition.splits);
    double most = Math.max(1, rate * rule.burstSeconds());
    Bucket bucket = partition.buckets.computeIfAbsent(isRead, id -> new Bucket(most, nowNanos));
    double gained = (nowNanos - bucket.filledNanos) / 1e9 * rate;
    bucket.tokens = Math.min(most, bucket.tokens + gained);
    bucket.filledNanos = nowNanos;
    if (bucket.tokens >= 1) {
      bucket.tokens -= weight;
      return true;
    }
    partition.rejected(rule.growth(), nowNanos);
    double deepest = Math.min(bucket.tokens, -MAX_DEBT_SECONDS * rate);
    bucket.tokens = Math.max(deepest, bucket.tokens - rule.rejectionCost());
    return false;
  }
}
