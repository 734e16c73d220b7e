/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.retry.RetryConfig;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.time.Duration;
import java.util.List;

/** Calculates how long nested retries may continue before the caller gets an error (rule R17). */
public record RetryCheck(Job job) implements Check {
  private static final long MANY = 40;

  // A judgement. The defaults of Hadoop 3.4 need ten minutes and are no reason for a warning.
  private static final Duration LONG = Duration.ofMinutes(15);
  private static final String FIX = "Set fs.s3a.attempts.maximum=5 and fs.s3a.retry.limit=7%s.";

  @Override
  public String name() {
    return "retries";
  }

  @Override
  public List<CheckOutcome> look() {
    return List.of(job.usesPenstock() ? penstock() : s3a());
  }

  private CheckOutcome penstock() {
    RetryConfig retries;
    try {
      retries = RetryConfig.from(Settings.of(job.given().values()));
    } catch (ConfigException e) {
      return CheckOutcome.skipped(name(), "not checked: one of these settings is not valid");
    }
    return CheckOutcome.pass(
        name(),
        ("one layer of retries: at most %d attempts within %s; for throttled requests, commits and"
                + " checkpoints, the time limit is at least 15m")
            .formatted(retries.attemptsMax(), shown(retries.durationMax().toMillis())));
  }

  private CheckOutcome s3a() {
    long sdk = Quantity.count(job.effective("fs.s3a.attempts.maximum"), 5);
    long limit = Quantity.count(job.effective("fs.s3a.retry.limit"), 7);
    long intervalMillis = Quantity.millis(job.effective("fs.s3a.retry.interval")).orElse(500);
    long attempts = sdk * (limit + 1);
    long hangingMillis = waitsMillis(intervalMillis, limit) + hangingMillis(sdk, limit);
    String said =
        ("a request is tried up to %d times: the SDK makes %d attempts for each of S3A's %d"
                + " attempts. A request that hangs fails after %s; then Spark runs the task again")
            .formatted(attempts, sdk, limit + 1, shown(hangingMillis));
    boolean isBad = attempts > MANY || hangingMillis > LONG.toMillis();
    String timeout =
        job.hadoop().isBefore(3, 4, 0) ? ", and fs.s3a.connection.request.timeout=30s" : "";
    CheckOutcome outcome =
        isBad
            ? CheckOutcome.warn(name(), said, FIX.formatted(timeout))
            : CheckOutcome.pass(name(), said);
    return outcome.with("attempts", attempts).with("hangingMillis", hangingMillis);
  }

  /**
   * Returns the average sum of S3A's waits. The first is twice the interval, each further one twice
   * the one before, without an upper limit (Hadoop's ExponentialBackoffRetry).
   */
  private static long waitsMillis(long intervalMillis, long limit) {
    double waits = Math.pow(2, limit + 1.0) - 2;
    return (long) Math.min(1e3 * Duration.ofDays(365).toSeconds(), waits * intervalMillis);
  }

  /**
   * Returns how long a request may hang. With a request timeout, S3A also ends the SDK's call, so
   * that only S3A's own retries count.
   */
  private long hangingMillis(long sdk, long limit) {
    long request = Quantity.millis(job.effective("fs.s3a.connection.request.timeout")).orElse(0);
    long socket = Quantity.millis(job.effective("fs.s3a.connection.timeout")).orElse(200_000);
    // S3A of Hadoop 3.4 raises any shorter timeout to 15 s.
    long least = job.hadoop().isBefore(3, 4, 0) ? 0 : 15_000;
    return request > 0 ? (limit + 1) * Math.max(least, request) : (limit + 1) * sdk * socket;
  }

  private static String shown(long millis) {
    Duration duration = Duration.ofMillis(millis);
    return duration.toMinutes() < 2
        ? duration.toSeconds() + " s"
        : duration.toHours() < 2 ? duration.toMinutes() + " min" : duration.toHours() + " h";
  }
}
