/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.aimd;

import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.law.TokenBucket;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Repeat;

/**
 * Limits the rate as EMRFS documents it. There is a cap from the start. The cap grows by a small
 * step after each window of answers without a throttled one, and is divided after each window with
 * a throttled one. EMRFS does not document the scope of the rate; here each process has one rate
 * for each kind of traffic.
 */
public final class AimdPacer implements Pacer {
  private final AimdConfig config;
  private final double initialRate;
  private final TokenBucket permits;
  private int answers;
  private boolean throttledInWindow;

  public AimdPacer(AimdConfig config, Traffic traffic) {
    this.config = config;
    this.initialRate = config.initialRate(traffic);
    this.permits = new TokenBucket(initialRate, 0);
  }

  @Override
  public void arrive(long nowNanos) {}

  @Override
  public synchronized long take(long nowNanos, double weight) {
    return (long) Math.ceil(permits.take(nowNanos / 1e9, weight) * 1e9);
  }

  @Override
  public void leave(long nowNanos) {}

  @Override
  public synchronized void answered(long sentNanos, long nowNanos, double ok, double throttled) {
    throttledInWindow |= throttled > 0;
    answers++;
    if (answers < config.adjustWindow()) {
      return;
    }
    double rate =
        throttledInWindow
            ? permits.rate() / config.reductionFactor()
            : permits.rate() + config.increaseIncrement();
    permits.rate(Math.max(config.minRate(), rate), nowNanos / 1e9);
    answers = 0;
    throttledInWindow = false;
  }

  @Override
  public synchronized boolean isIdle(long nowNanos, long sinceNanos) {
    return permits.rate() >= initialRate;
  }

  @Override
  public Repeat repeat() {
    return Repeat.SHORTLY;
  }

  @Override
  public synchronized double rate() {
    return permits.rate();
  }
}
