/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.law.Pacer;
import io.penstock.core.request.Repeat;

/**
 * The client-side limiter of the AWS SDKs' adaptive retry mode, built from its public description.
 * The limiter is off until the first throttled response. After that it is a token bucket whose rate
 * follows CUBIC and is at most twice the measured sending rate. Each client has one limiter for all
 * buckets and prefixes.
 */
final class SdkAdaptivePacer implements Pacer {
  private static final double BETA = 0.7;
  private static final double SCALE = 0.4;
  private static final double SMOOTH = 0.8;
  private static final double RATE_MIN = 0.5;

  private boolean enabled;
  private double rate;
  private double capacity;
  private double level;
  private double filledAt;
  private double measured;
  private double measuredAt;
  private int answers;
  private double lastMax;
  private double lastThrottled;

  @Override
  public void arrive(long nowNanos) {}

  @Override
  public void leave(long nowNanos) {}

  @Override
  public long take(long nowNanos, double weight) {
    if (!enabled) {
      return 0;
    }
    fill(nowNanos / 1e9);
    if (level >= weight - 1e-6) {
      level -= weight;
      return 0;
    }
    return (long) Math.ceil((weight - level) / rate * 1e9);
  }

  @Override
  public void answered(long sentNanos, long nowNanos, double ok, double throttled) {
    double now = nowNanos / 1e9;
    measure(now);
    double next;
    if (throttled > 0) {
      lastMax = enabled ? Math.min(measured, rate) : measured;
      lastThrottled = now;
      enabled = true;
      next = lastMax * BETA;
    } else {
      double window = Math.cbrt(lastMax * (1 - BETA) / SCALE);
      next = SCALE * Math.pow(now - lastThrottled - window, 3) + lastMax;
    }
    set(Math.min(next, 2 * measured), now);
  }

  private void measure(double now) {
    double bin = Math.floor(now * 2) / 2;
    answers++;
    if (bin > measuredAt) {
      measured = answers / (bin - measuredAt) * SMOOTH + measured * (1 - SMOOTH);
      answers = 0;
      measuredAt = bin;
    }
  }

  private void set(double perSecond, double now) {
    fill(now);
    rate = Math.max(perSecond, RATE_MIN);
    capacity = Math.max(perSecond, 1);
    level = Math.min(level, capacity);
  }

  private void fill(double now) {
    level = Math.min(capacity, level + (now - filledAt) * rate);
    filledAt = now;
  }

  @Override
  public Repeat repeat() {
    return Repeat.BACK_OFF;
  }

  @Override
  public double rate() {
    return enabled ? rate : Double.POSITIVE_INFINITY;
  }
}
