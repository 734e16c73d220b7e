/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Gives permits at a rate. It keeps a few unused permits, so that no permit is lost when the
 * machine wakes a thread late. More kept permits would allow a burst.
 */
public final class TokenBucket {
  /**
   * The longest time that a heavy request makes later requests wait. If this is too short, the
   * store throttles.
   */
  private static final double DEBT_SECONDS = 5;

  /** Unused permits of this time are kept: a busy machine may wake a waiting thread this late. */
  private static final double KEPT_SECONDS = 0.01;

  private double rate;
  private double level = 1;
  private double atSeconds;

  public TokenBucket(double rate, double nowSeconds) {
    this.rate = rate;
    this.atSeconds = nowSeconds;
  }

  public void rate(double perSecond, double nowSeconds) {
    fill(nowSeconds);
    rate = perSecond;
    level = Math.max(level, -DEBT_SECONDS * rate);
  }

  public double rate() {
    return rate;
  }

  /**
   * Takes permits. A heavy request may take more than there are; later requests wait until these
   * are earned.
   *
   * @return seconds until there is a permit, or 0 if it was taken
   */
  public double take(double nowSeconds, double weight) {
    double wait = wait(nowSeconds);
    if (wait == 0) {
      level = Math.max(level - weight, Math.min(level - 1, -DEBT_SECONDS * rate));
    }
    return wait;
  }

  /** Returns the seconds until there is a permit; takes none. */
  public double wait(double nowSeconds) {
    fill(nowSeconds);
    // A caller that comes back after the time it was told must not wait again because of rounding.
    return level >= 1 - 1e-6 ? 0 : (1 - level) / rate;
  }

  private void fill(double nowSeconds) {
    double gained = Math.max(0, nowSeconds - atSeconds) * rate;
    level = Math.min(Math.max(1, rate * KEPT_SECONDS), level + gained);
    atSeconds = Math.max(atSeconds, nowSeconds);
  }
}
