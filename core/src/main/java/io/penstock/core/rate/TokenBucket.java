/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/**
 * Gives permits at a rate. A little of what nobody took is kept, so that a thread that the machine
 * wakes late costs no permit; more would be a burst.
 */
final class TokenBucket {
  /**
   * The longest that a heavy request makes the others wait; the store tells if that is too little.
   */
  private static final double DEBT_SECONDS = 5;

  /** As long as a busy machine may let a thread wait that it should wake. */
  private static final double KEPT_SECONDS = 0.01;

  private double rate;
  private double level = 1;
  private double atSeconds;

  TokenBucket(double rate, double nowSeconds) {
    this.rate = rate;
    this.atSeconds = nowSeconds;
  }

  void rate(double perSecond, double nowSeconds) {
    fill(nowSeconds);
    rate = perSecond;
  }

  double rate() {
    return rate;
  }

  /**
   * Takes permits, and goes into debt for a heavy request: the ones after it pay.
   *
   * @return seconds until there is a permit, or 0 when it was taken
   */
  double take(double nowSeconds, double weight) {
    fill(nowSeconds);
    // Rounding must not make a caller wait that came back when it was told to.
    if (level >= 1 - 1e-6) {
      level = Math.max(level - weight, Math.min(level - 1, -DEBT_SECONDS * rate));
      return 0;
    }
    return (1 - level) / rate;
  }

  private void fill(double nowSeconds) {
    double gained = Math.max(0, nowSeconds - atSeconds) * rate;
    level = Math.min(Math.max(1, rate * KEPT_SECONDS), level + gained);
    atSeconds = Math.max(atSeconds, nowSeconds);
  }
}
