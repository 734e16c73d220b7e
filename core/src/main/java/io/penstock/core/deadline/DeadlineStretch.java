/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

/**
 * Stretches the deadlines of one kind of request when too many attempts miss them. Without this, a
 * link that suddenly becomes slow would have every attempt cut and none answered.
 */
final class DeadlineStretch {
  /**
   * The factor of one stretch. Four steps are a factor of five, so the deadlines fit a link that
   * became slow after as many round trips.
   */
  private static final double STEP = 1.5;

  /** The deadlines are stretched when more than this share of the attempts is cut. */
  private static final double CUT_SHARE_MAX = 0.01;

  /** The number of cuts that sometimes come together by chance. */
  private static final int FEW_CUTS = 2;

  /**
   * Two cuts with no answer between them also stretch the deadlines: a lone task has few attempts.
   */
  private static final int CUTS_IN_A_ROW = 2;

  /** Counts are halved after this many attempts, so that they describe recent attempts. */
  private static final int REMEMBERED = 1_000;

  /** Each answer reduces the stretch by this share: 700 answers halve it. */
  private static final double RELIEF = 0.001;

  private volatile double stretch = 1;
  private int attempts;
  private int cuts;
  private int cutsInARow;
  private long stretchedAtNanos = Long.MIN_VALUE;

  double stretch() {
    return stretch;
  }

  synchronized void answered() {
    count();
    cutsInARow = 0;
    if (stretch > 1) {
      double rest = (stretch - 1) * (1 - RELIEF);
      stretch = rest < 0.001 ? 1 : 1 + rest;
    }
  }

  synchronized void cut(long startNanos, long nowNanos) {
    count();
    cuts++;
    cutsInARow++;
    // Attempts that began before the last stretch were cut by the deadline that it replaced.
    boolean knewTheStretch = startNanos >= stretchedAtNanos;
    boolean tooMany = cuts > FEW_CUTS + CUT_SHARE_MAX * attempts;
    if (knewTheStretch && (tooMany || cutsInARow >= CUTS_IN_A_ROW)) {
      stretch *= STEP;
      stretchedAtNanos = nowNanos;
      cuts = 0;
    }
  }

  private void count() {
    attempts++;
    if (attempts >= REMEMBERED) {
      attempts /= 2;
      cuts /= 2;
    }
  }
}
