/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The settings of retries: how often, how long and with which waits a failed attempt is repeated.
 *
 * @param attemptsMax the most attempts of a request, including the first; throttled ones do not
 *     count
 * @param durationMax no attempt starts later than this after the first one of its request, unless
 *     the request was throttled
 * @param durationName the setting that {@code durationMax} comes from, for messages
 * @param delayMin the shortest wait after a failure
 * @param delayMax the longest wait, also if the store asks for more
 * @param throttledAttemptsMax limit while rate control paces the request; see {@link RetryDecider}
 * @param throttledDurationMax replaces {@code durationMax} for a request that was throttled
 * @param taskDurationMax longest total wait for retries of all requests of one task
 */
public record RetryConfig(
    int attemptsMax,
    Duration durationMax,
    String durationName,
    Duration delayMin,
    Duration delayMax,
    int throttledAttemptsMax,
    Duration throttledDurationMax,
    Duration taskDurationMax) {
  // The waits are mostly random, so a request needs many attempts to outlast an outage. With 24
  // attempts, 99 of 100 requests outlast an outage of 10 s, and half of them outlast nearly two
  // minutes. With 12 attempts, one in ten requests gives up within 4 s. When the random waits are
  // long, retry.duration.max ends them.
  static final ConfigKey<Integer> ATTEMPTS_MAX =
      ConfigKey.count("retry.attempts.max")
          .defaultsTo("24")
          .alsoReads("fs.s3a.retry.limit", "fs.s3.maxRetries")
          .doc(
              "Most attempts of a request, including the first; 1 means no retries. Throttled"
                  + " attempts do not count. Attempts that fail while the store serves no request"
                  + " at all do not count, either.");

  static final ConfigKey<Duration> DURATION_MAX =
      ConfigKey.duration("retry.duration.max")
          .defaultsTo("3m")
          .doc(
              "No attempt starts later than this after the first attempt of its request, unless"
                  + " the request was throttled.");

  // A store that is restarted or moved is unreachable for minutes. Spark runs a failed task again,
  // but not a failed commit, rollback or batch of a stream.
  static final ConfigKey<Duration> COMMIT_DURATION_MAX =
      ConfigKey.duration("retry.commit.duration.max")
          .defaultsTo("15m")
          .doc(
              "Limit for requests of commits, rollbacks and checkpoints, whose failure loses the"
                  + " work of a whole job. The longer of this and retry.duration.max applies.");

  static final ConfigKey<Duration> DELAY_MIN =
      ConfigKey.duration("retry.delay.min")
          .defaultsTo("100ms")
          .alsoReads("fs.s3a.retry.interval")
          .doc(
              "Shortest wait after a failure. Each further wait is random, from this to three"
                  + " times the previous wait. After the first lost connection of a request"
                  + " there is no wait.");

  static final ConfigKey<Duration> DELAY_MAX =
      ConfigKey.duration("retry.delay.max")
          .defaultsTo("20s")
          .doc("Longest wait before any attempt, even if the store asks for a longer wait.");

  static final ConfigKey<Integer> THROTTLED_ATTEMPTS_MAX =
      ConfigKey.count("retry.throttled.attempts.max")
          .defaultsTo("100")
          .alsoReads("fs.s3.aimd.maxAttempts", "fs.s3a.aimd.maxAttempts")
          .doc(
              "How often a request may be throttled while rate control paces it. Without rate"
                  + " control the limit is 16, or this value if it is lower.");

  // In the worst simulated weather, against a cluster that does not slow down, requests were
  // throttled for some minutes and then served. A bucket that is only busy must not fail a job.
  static final ConfigKey<Duration> THROTTLED_DURATION_MAX =
      ConfigKey.duration("retry.throttled.duration.max")
          .defaultsTo("15m")
          .doc(
              "Replaces retry.duration.max for a request that was throttled: the store works,"
                  + " and will serve the request in time.");

  static final ConfigKey<Duration> TASK_DURATION_MAX =
      ConfigKey.duration("retry.task.duration.max")
          .defaultsTo("30m")
          .doc(
              "Longest total time that all requests of one Spark task wait for retries; after"
                  + " that the next failure is final.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(
          ATTEMPTS_MAX,
          DURATION_MAX,
          COMMIT_DURATION_MAX,
          DELAY_MIN,
          DELAY_MAX,
          THROTTLED_ATTEMPTS_MAX,
          THROTTLED_DURATION_MAX,
          TASK_DURATION_MAX);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static RetryConfig from(Settings settings) {
    return new RetryConfig(
        settings.get(ATTEMPTS_MAX),
        settings.get(DURATION_MAX),
        DURATION_MAX.name(),
        settings.get(DELAY_MIN),
        settings.get(DELAY_MAX),
        settings.get(THROTTLED_ATTEMPTS_MAX),
        settings.get(THROTTLED_DURATION_MAX),
        settings.get(TASK_DURATION_MAX));
  }

  /** Returns the configuration for requests whose failure loses the work of a whole job. */
  public static RetryConfig ofCommits(Settings settings) {
    RetryConfig usual = from(settings);
    Duration longest = settings.get(COMMIT_DURATION_MAX);
    return longest.compareTo(usual.durationMax) <= 0
        ? usual
        : new RetryConfig(
            usual.attemptsMax,
            longest,
            COMMIT_DURATION_MAX.name(),
            usual.delayMin,
            usual.delayMax,
            usual.throttledAttemptsMax,
            usual.throttledDurationMax,
            usual.taskDurationMax);
  }

  /** Returns the same settings, except that a throttled request is not repeated. */
  public RetryConfig failingWhenThrottled() {
    return new RetryConfig(
        attemptsMax,
        durationMax,
        durationName,
        delayMin,
        delayMax,
        1,
        throttledDurationMax,
        taskDurationMax);
  }
}
