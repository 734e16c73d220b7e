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
 * @param delayMax the longest wait after a failure, unless the store asks for more
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
  /** The attempts of S3A's SDK for each of S3A's own, by default (fs.s3a.attempts.maximum). */
  private static final int S3A_ATTEMPTS_OF_SDK = 5;

  // The waits are mostly random, so a request needs many attempts to outlast an outage. With 24
  // attempts, 99 of 100 requests outlast an outage of 10 s, and half of them outlast nearly two
  // minutes. With 12 attempts, one in ten requests gives up within 4 s. When the random waits are
  // long, retry.duration.max ends them.
  static final ConfigKey<Integer> ATTEMPTS_MAX =
      ConfigKey.count("retry.attempts.max")
          .defaultsTo("24")
          .alsoReads("fs.s3a.retry.limit", retries -> attempts(retries, S3A_ATTEMPTS_OF_SDK))
          .alsoReads("fs.s3.maxRetries", retries -> attempts(retries, 1))
          .doc(
              "Maximum number of attempts of a request; 1 means no retries. Throttled attempts do"
                  + " not count, nor attempts while the store serves nothing. N under S3A's name"
                  + " means 5 (N + 1), under EMRFS's N + 1.");

  static final ConfigKey<Duration> DURATION_MAX =
      ConfigKey.duration("retry.duration.max")
          .defaultsTo("3m")
          .doc(
              "A request is not attempted again once this time has passed since its first attempt."
                  + " For throttled requests and for requests of commits and checkpoints, the limit"
                  + " is at least 15m.");

  static final ConfigKey<Duration> DELAY_MIN =
      ConfigKey.duration("retry.delay.min")
          .defaultsTo("100ms")
          .alsoReads("fs.s3a.retry.interval")
          .doc(
              "Shortest wait before a retry. Waits are random: from this value up to 3 times the"
                  + " previous wait, at most 20 s and 200 times this value. After its first lost"
                  + " connection, a request is retried at once.");

  static final ConfigKey<Integer> THROTTLED_ATTEMPTS_MAX =
      ConfigKey.count("retry.throttled.attempts.max")
          .defaultsTo("100")
          .readsOnly("fs.s3.aimd.maxAttempts", "fs.s3a.aimd.maxAttempts")
          .doc(
              "How often a request may be throttled while rate control paces it. Without rate"
                  + " control, the limit is 16 or this value, whichever is lower.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(ATTEMPTS_MAX, DURATION_MAX, DELAY_MIN, THROTTLED_ATTEMPTS_MAX);

  /**
   * Requests of commits, rollbacks and checkpoints have at least this. A store that is restarted or
   * moved is unreachable for minutes. Spark runs a failed task again, but not a failed commit,
   * rollback or batch of a stream.
   *
   * <p>Throttled requests have as much. In the worst simulated weather, against a cluster that does
   * not slow down, requests were throttled for some minutes and then served. A bucket that is only
   * busy must not fail a job.
   */
  private static final Duration LONG = Duration.ofMinutes(15);

  /** Describes {@link #LONG} in errors. */
  static final String LONG_NAME = "the limit for throttled requests, commits and checkpoints";

  /** A judgement: a task that waits longer is better run again, maybe elsewhere. */
  private static final Duration TASK = Duration.ofMinutes(30);

  /** The longest wait after a failure; or the shortest one, if that is longer. */
  static final Duration DELAY_MAX = Duration.ofSeconds(20);

  /** The longest wait is at most so many times the shortest one, which shorter waits scale. */
  private static final int DELAY_FACTOR = 200;

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static RetryConfig from(Settings settings) {
    Duration durationMax = settings.get(DURATION_MAX);
    Duration delayMin = settings.get(DELAY_MIN);
    return new RetryConfig(
        settings.get(ATTEMPTS_MAX),
        durationMax,
        DURATION_MAX.fullName(),
        delayMin,
        delayMax(delayMin),
        settings.get(THROTTLED_ATTEMPTS_MAX),
        longer(durationMax, LONG),
        longer(durationMax, TASK));
  }

  private static Duration delayMax(Duration delayMin) {
    Duration scaled = delayMin.multipliedBy(DELAY_FACTOR);
    return longer(delayMin, scaled.compareTo(DELAY_MAX) < 0 ? scaled : DELAY_MAX);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  /** Returns the configuration for requests whose failure loses the work of a whole job. */
  public static RetryConfig ofCommits(Settings settings) {
    RetryConfig usual = from(settings);
    return new RetryConfig(
        usual.attemptsMax,
        longer(usual.durationMax, LONG),
        usual.durationMax.compareTo(LONG) < 0 ? LONG_NAME : usual.durationName,
        usual.delayMin,
        usual.delayMax,
        usual.throttledAttemptsMax,
        usual.throttledDurationMax,
        usual.taskDurationMax);
  }

  /** Returns the same settings, except that no request is repeated for longer than this. */
  public RetryConfig within(Duration most) {
    return new RetryConfig(
        attemptsMax,
        shorter(durationMax, most),
        durationName,
        delayMin,
        delayMax,
        throttledAttemptsMax,
        shorter(throttledDurationMax, most),
        taskDurationMax);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
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

  /**
   * Returns the attempts that S3A or EMRFS would make, which count retries after the first attempt.
   */
  private static String attempts(String retries, int each) {
    int count;
    try {
      count = Integer.parseInt(retries);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number", e);
    }
    if (count < 0) {
      throw new IllegalArgumentException("must be at least 0");
    }
    return Long.toString(Math.min(Integer.MAX_VALUE, each * (count + 1L)));
  }
}
