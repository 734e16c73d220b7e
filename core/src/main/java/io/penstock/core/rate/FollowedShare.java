/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.report.Share;
import io.penstock.core.request.Repeat;

/**
 * The mode of the share that the driver gave a process last, and the time until which it is valid.
 */
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

  /**
   * Forgets the share. Returns true if the driver had set a cap, or had found the store contested
   * or struck.
   */
  boolean end() {
    boolean wasUsed = mode != Share.Mode.OPEN;
    mode = Share.Mode.OPEN;
    return wasUsed;
  }

  boolean isOpen() {
    return mode == Share.Mode.OPEN;
  }

  /** Returns true if the driver has found that a lower rate does not reduce the throttling. */
  boolean isUnhelped() {
    return mode == Share.Mode.CONTESTED || mode == Share.Mode.STRUCK;
  }

  Repeat repeat() {
    return mode.repeat();
  }
}
