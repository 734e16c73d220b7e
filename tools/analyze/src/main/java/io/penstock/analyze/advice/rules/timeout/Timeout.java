/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.LatencyHistogram;
import java.util.List;
import java.util.Optional;

/** Decides from which time on an attempt is slow, for one API and size class. */
final class Timeout {
  private static final List<Integer> OF_REQUESTS =
      List.of(Limits.TIMEOUT_MIN_S, Limits.TIMEOUT_MIDDLE_S, Limits.TIMEOUT_MAX_S);
  private static final List<Integer> OF_SMALL_REQUESTS =
      List.of(
          Limits.TIMEOUT_MIN_S,
          Limits.TIMEOUT_SECOND_S,
          Limits.TIMEOUT_MIDDLE_S,
          Limits.TIMEOUT_MAX_S);

  /**
   * A group of requests to which one timeout applies.
   *
   * @param largeSize the size in bytes that at most one in twenty transfers of a MiB or more
   *     exceeds; 0 if there are none
   * @param slowBandwidth the rate in bytes a second that one in twenty of these transfers does not
   *     exceed; 0 if there are none
   */
  record Group(
      String api,
      String sizeClass,
      long requests,
      double medianMs,
      double p99Ms,
      long largeSize,
      double slowBandwidth,
      LatencyHistogram latencies) {
    /** Returns the seconds that a slow but normal transfer needs. */
    int transferSeconds() {
      return slowBandwidth <= 0
          ? 0
          : (int) Math.ceil(largeSize / slowBandwidth) + Limits.TRANSFER_EXTRA_S;
    }

    double extraPercent(int seconds) {
      return 100.0 * latencies.over(seconds) / Math.max(1, requests);
    }
  }

  private Timeout() {}

  /**
   * Returns the timeout in seconds. It is empty if there are too few slow requests, if all requests
   * are slow, or if too many requests would be repeated.
   */
  static Optional<Integer> choose(Group group) {
    boolean isEnough = group.requests() >= Limits.TAIL_REQUESTS_MIN;
    if (!isEnough
        || group.medianMs() >= Limits.TAIL_MEDIAN_MAX_MS
        || group.sizeClass().startsWith(">=")) {
      return Optional.empty();
    }
    double most =
        Math.min(
            Limits.TIMEOUT_MAX_S,
            Math.max(Limits.TIMEOUT_MIN_S, Limits.TIMEOUT_P99_FACTOR * group.p99Ms() / 1000));
    return candidates(group).stream()
        .filter(seconds -> seconds <= most)
        .filter(
            seconds -> group.latencies().over(seconds) <= group.requests() * Limits.EXTRA_SHARE_MAX)
        .findFirst()
        .filter(seconds -> group.latencies().over(seconds) >= group.requests() * Limits.SLOW_SHARE);
  }

  private static List<Integer> candidates(Group group) {
    return group.sizeClass().equals("<512 KiB") ? OF_SMALL_REQUESTS : OF_REQUESTS;
  }
}
