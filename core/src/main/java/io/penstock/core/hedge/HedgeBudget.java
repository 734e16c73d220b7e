/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import java.util.concurrent.atomic.AtomicLong;

/** Tokens for hedges: every request earns a share of one, a hedge takes a whole one. */
final class HedgeBudget {
  /** Fractions of a token are whole numbers. */
  private static final long TOKEN = 1_000_000;

  /** A small job has its first hedges before it has earned them. */
  private static final long AT_START = 10 * TOKEN;

  /** A judgement: a store that hangs for a moment costs 20 more requests, no more. */
  private static final long MOST = 20 * TOKEN;

  /** The number of tokens below which there is reason to be choosy. */
  private static final double PLENTY = 10.0 * TOKEN;

  /**
   * The budget is what first hedges at their quantile need on average; a twentieth on top is for
   * second ones and for the error of the estimated quantile.
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
    // Mostly it is full, and then nothing is written that other threads would have to fetch.
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

  /** Returns a number from 0, enough, to 1, nothing left. */
  double scarcity() {
    return Math.max(0, 1 - tokens.get() / PLENTY);
  }
}
