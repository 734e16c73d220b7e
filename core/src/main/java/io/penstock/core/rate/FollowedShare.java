/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.retry.Repeat;

/** The share that the driver has given a process last, and how long it is good. */
final class FollowedShare {
  private Share.Mode mode = Share.Mode.OPEN;
  private double untilSeconds = Double.NEGATIVE_INFINITY;

  void follow(Share.Mode given, double until) {
    mode = given;
    untilSeconds = until;
  }

  boolean isGood(double now) {
    return now < untilSeconds;
  }

  /** Forgets it; true if the driver had capped or judged the store. */
  boolean end() {
    boolean wasUsed = mode != Share.Mode.OPEN;
    mode = Share.Mode.OPEN;
    return wasUsed;
  }

  boolean isOpen() {
    return mode == Share.Mode.OPEN;
  }

  /** Returns true if the driver knows that going slower does not help. */
  boolean isUnhelped() {
    return mode == Share.Mode.CONTESTED || mode == Share.Mode.STRUCK;
  }

  Repeat repeat() {
    return mode.repeat();
  }
}
