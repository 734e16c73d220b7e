/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.weather;

import io.penstock.sim.api.S3Call;
import java.util.HashMap;
import java.util.Map;

/** Says 503 for a partition: one token bucket for its reads and one for its writes. */
final class Throttle {
  private static final double MAX_DEBT_SECONDS = 0.25;

  private final ThrottleRule rule;
  private final Map<String, Bucket> buckets = new HashMap<>();

  private static final class Bucket {
    final double rate;
    double tokens;
    long filledNanos;

    Bucket(double rate, double tokens, long nowNanos) {
      this.rate = rate;
      this.tokens = tokens;
      this.filledNanos = nowNanos;
    }
  }

  Throttle(ThrottleRule rule) {
    this.rule = rule;
  }

  /** Whether the partition takes the call now. */
  synchronized boolean admits(S3Call call, long nowNanos) {
    boolean isRead = call.api().isRead();
    double rate = isRead ? rule.readsPerSecond() : rule.writesPerSecond();
    double most = Math.max(1, rate * rule.burstSeconds());
    Bucket bucket =
        buckets.computeIfAbsent(
            (isRead ? "r " : "w ") + rule.partition(call), id -> new Bucket(rate, most, nowNanos));
    double gained = (nowNanos - bucket.filledNanos) / 1e9 * bucket.rate;
    bucket.tokens = Math.min(most, bucket.tokens + gained);
    bucket.filledNanos = nowNanos;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return true;
    }
    bucket.tokens = Math.max(-MAX_DEBT_SECONDS * bucket.rate, bucket.tokens - rule.rejectionCost());
    return false;
  }
}
