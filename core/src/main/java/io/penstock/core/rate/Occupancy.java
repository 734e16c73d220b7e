/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/**
 * Counts the waiting requests and the requests in flight, and records when there last was a
 * request.
 */
final class Occupancy {
  private int waiting;
  private int inFlight;
  private long usedNanos = Long.MIN_VALUE;

  void arrives(long nowNanos) {
    usedNanos = nowNanos;
    waiting++;
  }

  void leaves() {
    waiting--;
  }

  void begins() {
    waiting--;
    inFlight++;
  }

  void answered(long nowNanos) {
    usedNanos = nowNanos;
    inFlight--;
  }

  void lost() {
    inFlight--;
  }

  int waiting() {
    return waiting;
  }

  int inFlight() {
    return inFlight;
  }

  boolean isIdle(long sinceNanos) {
    return usedNanos <= sinceNanos && waiting <= 0 && inFlight <= 0;
  }
}
