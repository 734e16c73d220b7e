/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/** Rule R17: checks nested retries. Each retry of S3A consists of several attempts of the SDK. */
public final class NestedRetries extends Rule {
  static final String ATTEMPTS = "fs.s3a.attempts.maximum";
  static final String RETRIES = "fs.s3a.retry.limit";
  private static final String INTERVAL = "fs.s3a.retry.interval";
  private static final String THROTTLE = "fs.s3a.retry.throttle.limit";

  /** The retry settings that the job ran with. */
  record Facts(int attempts, int retries, long intervalMillis, int throttleRetries) {
    private static final Facts RECOMMENDED =
        new Facts(
            Limits.SDK_ATTEMPTS,
            Limits.S3A_RETRIES,
            Limits.S3A_RETRY_INTERVAL_MS,
            Limits.S3A_THROTTLE_RETRIES);

    /** Returns what is left once each value that is larger than recommended is lowered to it. */
    Facts lowered() {
      boolean isLong =
          intervalMillis > RECOMMENDED.intervalMillis && giveUpSeconds() > Limits.GIVE_UP_MAX_S;
      return new Facts(
          Math.min(attempts, RECOMMENDED.attempts),
          Math.min(retries, RECOMMENDED.retries),
          isLong ? RECOMMENDED.intervalMillis : intervalMillis,
          Math.min(throttleRetries, RECOMMENDED.throttleRetries));
    }

    /** Returns the most attempts of a request: S3A calls the SDK once, and once for each retry. */
    long all() {
      return (long) attempts * (retries + 1);
    }

    /**
     * Returns the average sum of S3A's waits. The first is twice the interval, each further one
     * twice the one before, without an upper limit; measured with S3ARetryPolicy of hadoop-aws
     * 3.4.2: 1, 2, 4 … 64 s for its defaults.
     */
    double giveUpSeconds() {
      return intervalMillis / 1000.0 * (Math.pow(2, retries + 1) - 2);
    }
  }

  public NestedRetries() {
    super(
        new Label("R17", "nested-retries", "retries within retries"),
        "the source of hadoop-aws 3.4.2: attempts.maximum 5, retry.limit 7, retry.throttle.limit"
            + " 20",
        List.of("settings"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    // Databricks sets them for a client of its own.
    if (settings.client() != Client.S3A || settings.isOnDatabricks()) {
      return Optional.empty();
    }
    if (!settings.areKnown()) {
      return lacking(
          LogKind.EVENT_LOG, "These logs do not have S3A's settings. A Spark event log has them.");
    }
    if (!settings.showsS3a()) {
      return lacking(
          LogKind.ACCESS_LOG,
          "Neither requests nor settings in these logs show that the job used S3A. An S3 server"
              + " access log has its requests.");
    }
    if (settings.hadoopVersion().filter(version -> !version.isAtLeast(3, 1, 0)).isPresent()) {
      return dont()
          .because(
              "Hadoop %s has none of these settings; S3A retries by them since 3.1.",
              settings.hadoopVersion().get())
          .leave(Confidence.HIGH);
    }
    for (String name : List.of(ATTEMPTS, RETRIES, INTERVAL, THROTTLE)) {
      if (settings.hadoop(name).filter(value -> value.contains("${")).isPresent()) {
        return lacking(
            LogKind.EVENT_LOG,
            "%s is set to %s, and these logs do not tell what that stands for.",
            name,
            settings.hadoop(name).get());
      }
    }
    boolean isOld = settings.hadoopVersion().map(v -> !v.isAtLeast(3, 4, 0)).orElse(false);
    return judge(
        new Facts(
            number(
                settings.hadoop(ATTEMPTS),
                isOld ? Limits.SDK_ATTEMPTS_BEFORE_3_4 : Limits.SDK_ATTEMPTS),
            number(settings.hadoop(RETRIES), Limits.S3A_RETRIES),
            settings.hadoop(INTERVAL).flatMap(Amounts::millis).orElse(Limits.S3A_RETRY_INTERVAL_MS),
            number(settings.hadoop(THROTTLE), Limits.S3A_THROTTLE_RETRIES)),
        settings);
  }

  private static int number(Optional<String> value, int byDefault) {
    return value.filter(text -> text.matches("\\d{1,9}")).map(Integer::parseInt).orElse(byDefault);
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    boolean isMuch =
        facts.all() > Limits.NESTED_ATTEMPTS_MAX || facts.giveUpSeconds() > Limits.GIVE_UP_MAX_S;
    Draft draft = doIf(isMuch);
    draft.because(
        "For one request, the SDK makes up to %,d attempts, and S3A repeats this up to %,d times."
            + " In all, there are up to %,d attempts, with %s of waiting between S3A's retries. S3A"
            + " retries a throttled request up to %,d times.",
        facts.attempts(),
        facts.retries(),
        facts.all(),
        Amounts.duration(facts.giveUpSeconds() * 1000),
        facts.throttleRetries());
    if (!isMuch) {
      return draft.leave(Confidence.MEDIUM);
    }
    change(draft, settings, ATTEMPTS, facts.attempts(), Limits.SDK_ATTEMPTS);
    change(draft, settings, RETRIES, facts.retries(), Limits.S3A_RETRIES);
    if (facts.intervalMillis() > Limits.S3A_RETRY_INTERVAL_MS
        && facts.giveUpSeconds() > Limits.GIVE_UP_MAX_S) {
      draft.change(
          settings.change(Target.HADOOP, INTERVAL, "", Limits.S3A_RETRY_INTERVAL_MS + "ms"));
    }
    change(draft, settings, THROTTLE, facts.throttleRetries(), Limits.S3A_THROTTLE_RETRIES);
    return draft
        .effect(
            Confidence.MEDIUM,
            0,
            "a request that cannot succeed fails after %,d attempts and %s of waiting, and Spark"
                + " runs its task again",
            facts.lowered().all(),
            Amounts.duration(facts.lowered().giveUpSeconds() * 1000))
        .risk("fewer attempts in a long outage")
        .verify("attempts per request: mean and maximum")
        .done();
  }

  private static void change(Draft draft, JobSettings settings, String name, int now, int next) {
    if (now > next) {
      draft.change(
          settings.change(Target.HADOOP, name, Integer.toString(now), Integer.toString(next)));
    }
  }
}
