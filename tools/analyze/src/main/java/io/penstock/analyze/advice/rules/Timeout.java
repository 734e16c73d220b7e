/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.whatif.Latencies;
import java.util.List;
import java.util.Optional;

/** Decides after what time an attempt is slow, for one API and size class. */
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
   * A group of requests that one timeout would end.
   *
   * @param largeSize and slowBandwidth of one in twenty transfers of a MiB or more; 0 without any
   */
  record Group(
      String api,
      String sizeClass,
      long requests,
      double medianMs,
      double p99Ms,
      long largeSize,
      double slowBandwidth,
      Latencies latencies) {
    /** Seconds that a slow but honest transfer needs. */
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

  /** Seconds; empty when the tail is thin, or all is slow, or too much would be asked twice. */
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
