/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.law.TokenBucket;

/**
 * The most requests a second that a process sends to a bucket, as its user has set it: {@link
 * RateConfig#maxRate}, and the process's share of {@link RateConfig#clusterMaxRate}. A process that
 * is led by a driver begins with the minimum rate until it has a share, and keeps its last share
 * while the driver does not answer. Safe for use by many threads.
 */
final class Ceiling {
  private final double most;
  private final TokenBucket permits;

  /**
   * @param isLed whether a driver divides the limit of the application
   */
  Ceiling(RateConfig config, boolean isLed) {
    boolean waitsForShare = isLed && config.clusterMaxRate() < Double.POSITIVE_INFINITY;
    this.most = Math.min(config.maxRate(), config.clusterMaxRate());
    this.permits = new TokenBucket(waitsForShare ? Math.min(most, config.minRate()) : most, 0);
  }

  /** Takes a permit of the pacer and one of the ceiling, or none; see {@link Pacer#take}. */
  synchronized long take(Pacer pacer, long nowNanos, double weight) {
    double now = nowNanos / 1e9;
    double wait = permits.wait(now);
    if (wait > 0) {
      return (long) Math.ceil(wait * 1e9);
    }
    long more = pacer.take(nowNanos, weight);
    if (more == 0) {
      permits.take(now, weight);
    }
    return more;
  }

  /**
   * Follows the process's share of the limit of the application.
   *
   * @param share infinite if the driver does not know the limit
   */
  synchronized void follow(double share, long nowNanos) {
    permits.rate(Math.min(most, share), nowNanos / 1e9);
  }

  synchronized double rate() {
    return permits.rate();
  }
}
