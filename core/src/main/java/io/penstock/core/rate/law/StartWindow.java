/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Limits the requests in flight while no rate does: until the store throttles for the first time,
 * and after a cap was lifted. Without this limit, a sudden crowd of requests, such as that of a job
 * commit, would all be rejected at once. What was not used for a while has to be found again.
 */
public final class StartWindow {
  /**
   * A judgement: fewer than any store was seen to reject. The window grows from 8 to 64 within 0.3
   * s.
   */
  private static final double START = 8;

  /**
   * While the window is full, it doubles after this time: a few round trips, so that a 503 is seen
   * in time.
   */
  private static final double DOUBLES_SECONDS = 0.1;

  /** A few round trips, in answers for each request that may be in flight. */
  private static final double ROUNDS = 3;

  /**
   * Where a round trip takes longer, as that of the first requests on a busy machine, the window
   * waits for as many answers, but not longer than this: parts take seconds, and some requests
   * hang.
   */
  private static final double PATIENCE_SECONDS = 0.3;

  /** A window that was not used for so long shrinks: the store may have become slower since. */
  private static final double UNUSED_SECONDS = 5;

  /**
   * A window does not shrink below this: 64 requests of 40 ms are half of what a prefix of S3
   * takes, and a batch of a stream that comes every few seconds should not begin from 8 each time.
   */
  private static final double RESUMES = 64;

  /** Nanoseconds after which a request that was not admitted checks again. */
  public static final long LOOK_NANOS = 2_000_000;

  private double size = START;
  private double fullSince = Double.NaN;
  private double answers;
  private double peak;
  private double peakSince = Double.NaN;

  /**
   * Records the requests in flight, before one begins or ends, also while a rate limits them. A
   * window that was more than twice as large as needed shrinks.
   */
  public void sees(int inFlight, double now) {
    if (Double.isNaN(peakSince)) {
      peakSince = now;
    }
    double seconds = now - peakSince;
    if (seconds >= UNUSED_SECONDS) {
      double used = seconds < 2 * UNUSED_SECONDS ? peak : inFlight;
      if (2 * used < size) {
        size = Math.min(size, Math.max(RESUMES, 2 * used));
        fullSince = Double.NaN;
        answers = 0;
      }
      peak = 0;
      peakSince = now;
    }
    peak = Math.max(peak, inFlight);
  }

  /** Returns true if one more request may be sent. The window grows if it stays full. */
  public boolean admits(int inFlight, double now) {
    if (inFlight < size) {
      return true;
    }
    if (Double.isNaN(fullSince)) {
      fullSince = now;
    } else if (now - fullSince >= (answers < ROUNDS * size ? PATIENCE_SECONDS : DOUBLES_SECONDS)) {
      size *= 2;
      fullSince = now;
      answers = 0;
    }
    return inFlight < size;
  }

  /** Records answers that were not throttled. */
  public void answered(double ok) {
    answers += ok;
  }

  /** Ends the limit for now: the store has throttled, and a rate limits the requests. */
  public void end() {
    size = Double.POSITIVE_INFINITY;
  }
}
