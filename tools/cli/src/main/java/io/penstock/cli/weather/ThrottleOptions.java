/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.ThrottleRule.Growth;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options for the limits of a partition. The defaults are those of S3. */
final class ThrottleOptions {
  private static final int USUAL_SPLITS = 4;

  @Option(
      names = "--throttle-burst",
      paramLabel = "SECONDS",
      description =
          "Number of unused requests that a partition can save up for a burst: as many as it"
              + " accepts in SECONDS. Default: 0.25.")
  private Double burst;

  @Option(
      names = "--throttle-rejection-cost",
      paramLabel = "SHARE",
      description =
          "How much a rejected request counts against the rate: from 0 (not at all) to 1 (as much"
              + " as an accepted request). With 0.5, the model fits the published runs of EMR jobs"
              + " best. Default: 0.5.")
  private Double rejectionCost;

  @Option(
      names = "--split-after",
      paramLabel = "SECONDS",
      description =
          "Split a partition after it has rejected requests for SECONDS. A split doubles the"
              + " partition's rate; see --split-times. Default: never.")
  private Double splitAfter;

  @Option(
      names = "--split-times",
      paramLabel = "N",
      description = "How many times a partition can be split. Default: 4.")
  private Integer splitTimes;

  @Option(
      names = "--cold-start",
      paramLabel = "SHARE",
      description =
          "Share of its full rates that a partition starts with, like a new prefix on S3. Splits"
              + " add the rest. Default: 1.")
  private Double coldStart;

  boolean isAsked() {
    return burst != null
        || rejectionCost != null
        || splitAfter != null
        || splitTimes != null
        || coldStart != null;
  }

  /** Returns the rule with the values that were given. */
  ThrottleRule of(ThrottleRule rule) {
    ThrottleRule asked = burst == null ? rule : rule.burst(burst);
    if (rejectionCost != null) {
      asked = asked.rejectionCost(rejectionCost);
    }
    if (splitTimes != null && splitAfter == null) {
      throw new IllegalArgumentException("--split-times needs --split-after");
    }
    double start = coldStart == null ? 1 : coldStart;
    return asked.growing(
        splitAfter == null
            ? new Growth(start, Duration.ZERO, 0)
            : new Growth(start, patience(), splitTimes == null ? USUAL_SPLITS : splitTimes));
  }

  private Duration patience() {
    if (!(splitAfter > 0 && splitAfter < 1e6)) {
      throw new IllegalArgumentException(
          "--split-after=" + splitAfter + " is not a number of seconds");
    }
    return Duration.ofMillis((long) (splitAfter * 1000));
  }
}
