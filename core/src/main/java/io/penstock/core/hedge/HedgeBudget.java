/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds the tokens for hedges: every request earns a part of a token, and each hedge takes a whole
 * one.
 */
final class HedgeBudget {
  /** One token, in units so small that parts of a token are whole numbers. */
  private static final long TOKEN = 1_000_000;

  /** The tokens at the start, so that a small job can hedge before it has earned tokens. */
  private static final long AT_START = 10 * TOKEN;

  /** A judgement: if the store hangs for a moment, this causes at most 20 additional requests. */
  private static final long MOST = 20 * TOKEN;

  /** Below this number of tokens, hedges start later. */
  private static final double PLENTY = 10.0 * TOKEN;

  /**
   * The configured budget is what the first hedges need on average. A twentieth is added for second
   * hedges and for the error of the estimated quantile.
   */
  private static final double SPARE = 1.05;

  private final long earned;
  private final AtomicLong tokens;

  HedgeBudget(double perRequest) {
    this.earned = Math.round(SPARE * perRequest * TOKEN);
    this.tokens = new AtomicLong(earned == 0 ? 0 : AT_START);
  }

  void earn() {
    add(earned);
  }

  void giveBack() {
    add(TOKEN);
  }

  private void add(long more) {
    // The budget is usually full. Then nothing is written, so other threads need not reload the
    // value.
    if (more > 0 && tokens.get() < MOST) {
      tokens.accumulateAndGet(more, (have, gain) -> Math.min(MOST, have + gain));
    }
  }

  boolean take() {
    while (true) {
      long have = tokens.get();
      if (have < TOKEN) {
        return false;
      }
      if (tokens.compareAndSet(have, have - TOKEN)) {
        return true;
      }
    }
  }

  /** Returns how scarce tokens are: from 0 (enough) to 1 (none left). */
  double scarcity() {
    return Math.max(0, 1 - tokens.get() / PLENTY);
  }
}
