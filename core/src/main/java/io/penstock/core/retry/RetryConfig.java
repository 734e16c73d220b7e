/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;

/** How often, how long and how patiently a failed attempt is repeated. */
public record RetryConfig(
    int attemptsMax, Duration durationMax, Duration delayMin, Duration delayMax) {
  static final ConfigKey<Integer> ATTEMPTS_MAX =
      ConfigKey.count("retry.attempts.max")
          .defaultsTo("12")
          .alsoReads("fs.s3a.retry.limit", "fs.s3.maxRetries")
          .doc("Attempts a request gets at most, the first one among them.");

  static final ConfigKey<Duration> DURATION_MAX =
      ConfigKey.duration("retry.duration.max")
          .defaultsTo("3m")
          .doc("No attempt starts later than this after the first one of its request.");

  static final ConfigKey<Duration> DELAY_MIN =
      ConfigKey.duration("retry.delay.min")
          .defaultsTo("100ms")
          .alsoReads("fs.s3a.retry.interval")
          .doc("Longest wait before the second attempt; it doubles with each further one.");

  static final ConfigKey<Duration> DELAY_MAX =
      ConfigKey.duration("retry.delay.max")
          .defaultsTo("20s")
          .doc("Longest wait before any attempt.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(ATTEMPTS_MAX, DURATION_MAX, DELAY_MIN, DELAY_MAX);

  public static RetryConfig from(Settings settings) {
    return new RetryConfig(
        settings.get(ATTEMPTS_MAX),
        settings.get(DURATION_MAX),
        settings.get(DELAY_MIN),
        settings.get(DELAY_MAX));
  }
}
