/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Counts the waiting requests and the requests in flight, and records when there last was a
 * request.
 */
public final class InFlight {
  private int waiting;
  private int inFlight;
  private long usedNanos = Long.MIN_VALUE;

  public void arrives(long nowNanos) {
    usedNanos = nowNanos;
    waiting++;
  }

  public void leaves() {
    waiting--;
  }

  public void begins() {
    waiting--;
    inFlight++;
  }

  public void answered(long nowNanos) {
    usedNanos = nowNanos;
    inFlight--;
  }

  public void lost() {
    inFlight--;
  }

  public int waiting() {
    return waiting;
  }

  public int inFlight() {
    return inFlight;
  }

  public boolean isIdle(long sinceNanos) {
    return usedNanos <= sinceNanos && waiting <= 0 && inFlight <= 0;
  }
}
