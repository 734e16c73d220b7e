/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.rules.facts.Limits;

/** Decides between backoff and AIMD. */
final class RateDecider {
  enum Answer {
    ON,
    OFF,
    TRIAL,
    /** AIMD is already on, so the logs do not show how much S3 would throttle under backoff. */
    TRIAL_WITHOUT,
    /** Rate control that is at least as good as backoff is on. */
    ADAPTIVE,
    NO_WRITES,
    OWN_SHARE_UNKNOWN,
    /** So few answers say nothing of a rate. */
    TOO_FEW,
    /** A store that lacks drives is no faster at a lower rate. */
    OF_DRIVES,
    /** What overloaded the store is not in the logs. */
    OF_PART
  }

  enum Control {
    BACKOFF,
    AIMD,
    ADAPTIVE
  }

  private RateDecider() {}

  static Answer decide(Load load, Control control) {
    if (control == Control.ADAPTIVE) {
      return Answer.ADAPTIVE;
    }
    if (load.writes() == 0) {
      return Answer.NO_WRITES;
    }
    if (control == Control.AIMD) {
      return Answer.TRIAL_WITHOUT;
    }
    double percent = load.throttledWritesPercent();
    double own = load.ownPercent().orElse(100);
    if (percent < Limits.AIMD_OFF_PERCENT || own < Limits.OWN_SHARE_OFF_PERCENT) {
      return Answer.OFF;
    }
    if (load.throttledWrites() < Limits.THROTTLED_MIN) {
      return Answer.TOO_FEW;
    }
    if (percent < Limits.AIMD_ON_PERCENT
        || load.throttledSeconds() < Limits.AIMD_SECONDS
        || own < Limits.OWN_SHARE_ON_PERCENT) {
      return Answer.TRIAL;
    }
    return load.ownPercent().isEmpty() ? Answer.OWN_SHARE_UNKNOWN : Answer.ON;
  }
}
