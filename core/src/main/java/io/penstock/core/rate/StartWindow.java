/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/**
 * Bounds the requests in flight until the store throttles once. A crowd that comes from nothing, as
 * a job's commit does, would all be rejected at once.
 */
final class StartWindow {
  /** A judgement: fewer than any store was seen to reject, and doubled to 64 within 0.3 s. */
  private static final double START = 8;

  /** While the window is full it doubles so often. A few round trips, to see a 503 in time. */
  private static final double DOUBLES_SECONDS = 0.1;

  /** Nanoseconds after which somebody who was not let in looks again. */
  static final long LOOK_NANOS = 2_000_000;

  private double size = START;
  private double fullSince = Double.NaN;

  /** Tells whether one more may go beside those in flight, and grows when that is too few. */
  boolean admits(int inFlight, double now) {
    if (inFlight < size) {
      return true;
    }
    if (Double.isNaN(fullSince)) {
      fullSince = now;
    } else if (now - fullSince >= DOUBLES_SECONDS) {
      size *= 2;
      fullSince = now;
    }
    return inFlight < size;
  }

  /** The store has throttled: from now on there are better means. */
  void end() {
    size = Double.POSITIVE_INFINITY;
  }
}
