/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.doctor.CheckOutcome;
import java.time.Duration;
import java.time.Instant;

/** Measures the difference between this machine's clock and the store's clock. */
final class ClockCheck {
  private static final String NAME = "clock";

  /** S3 refuses requests whose signature differs by more than this from S3's clock. */
  private static final Duration REFUSED = Duration.ofMinutes(15);

  /** Up to this difference, requests in the logs of client and store can be matched by time. */
  private static final Duration VISIBLE = Duration.ofSeconds(2);

  private ClockCheck() {}

  static CheckOutcome judge(Greeting greeting) {
    if (greeting.date().isEmpty()) {
      return CheckOutcome.skipped(NAME, "the answer has no Date header");
    }
    // The store read its clock between the request and the answer, and cut off the fraction of the
    // second.
    Instant here = greeting.sent().plus(greeting.took().dividedBy(2));
    Duration skew = Duration.between(greeting.date().get().plusMillis(500), here);
    Duration error = greeting.took().dividedBy(2).plusMillis(500);
    Duration atLeast = skew.abs().minus(error);
    return verdict(skew, atLeast).with("skewMillis", skew.toMillis());
  }

  private static CheckOutcome verdict(Duration skew, Duration atLeast) {
    String said =
        "%.1f s %s the store's"
            .formatted(skew.abs().toMillis() / 1e3, skew.isNegative() ? "behind" : "ahead of");
    String fix = "Set the clock by NTP: chronyc makestep, or timedatectl set-ntp true.";
    if (atLeast.compareTo(REFUSED) > 0) {
      return CheckOutcome.fail(
          NAME, said + "; S3 refuses requests when the clock is wrong by more than 15 min", fix);
    }
    if (atLeast.compareTo(VISIBLE) > 0) {
      return CheckOutcome.warn(NAME, said, fix);
    }
    return CheckOutcome.pass(NAME, "within %.1f s of the store's clock".formatted(bound(skew)));
  }

  /**
   * Returns the difference to report, at least one second, because the answer contains only whole
   * seconds.
   */
  private static double bound(Duration skew) {
    return Math.max(1.0, skew.abs().toMillis() / 1e3);
  }
}
