/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The settings of rate control.
 *
 * @param target share of throttled answers that the driver aims at, in (0, 1)
 * @param minRate requests a second that a process may always send to a partition
 * @param maxRate most requests a second that a process sends to a bucket, of each kind of traffic;
 *     infinite without a limit
 * @param clusterMaxRate the same for all processes of an application together
 * @param reportPeriod how often executors tell the driver what they saw
 * @param lease how long a share that the driver gave stays good
 * @param waitMax longest wait for a permit
 */
public record RateConfig(
    RatePolicy policy,
    double target,
    double minRate,
    double maxRate,
    double clusterMaxRate,
    Duration reportPeriod,
    Duration lease,
    Duration waitMax,
    AimdConfig aimd) {
  /** Returns true if both configurations give the same rates. Only the longest wait may differ. */
  boolean hasRatesOf(RateConfig other) {
    return equals(
        new RateConfig(
            other.policy,
            other.target,
            other.minRate,
            other.maxRate,
            other.clusterMaxRate,
            other.reportPeriod,
            other.lease,
            waitMax,
            other.aimd));
  }

  static final ConfigKey<RatePolicy> POLICY =
      ConfigKey.choice("rate.policy", RatePolicy.class)
          .defaultsTo("adaptive")
          .doc(
              "How the request rate is limited: adaptive (no cap until the store throttles),"
                  + " aimd (as EMRFS documents it), backoff (no cap, only retries), none (a"
                  + " throttled request fails).");

  static final ConfigKey<Double> TARGET =
      ConfigKey.number("rate.target")
          .defaultsTo("0.003")
          .mustBe("more than 0 and at most 0.1", share -> share > 0 && share <= 0.1)
          .doc(
              "Share of throttled requests that rate control aims at; with 0, capacity would"
                  + " stay unused.");

  static final ConfigKey<Double> MIN =
      ConfigKey.number("rate.min")
          .defaultsTo("1")
          .mustBe("more than 0", rate -> rate > 0)
          .doc("Requests per second that a process may always send to a partition.");

  static final ConfigKey<Double> MAX =
      ConfigKey.limit("rate.max")
          .doc(
              "Most requests per second that a process sends to a bucket, reads and writes counted"
                  + " separately.");

  static final ConfigKey<Double> CLUSTER_MAX =
      ConfigKey.limit("rate.cluster.max")
          .doc(
              "Most requests per second that all processes of an application together send to a"
                  + " bucket, reads and writes counted separately. The driver divides it by need.");

  static final ConfigKey<Duration> REPORT_PERIOD =
      ConfigKey.duration("rate.report.period")
          .defaultsTo("500ms")
          .mustBe("at least 100ms", period -> period.toMillis() >= 100)
          .doc("How often an executor reports to the driver and receives its share of the rate.");

  static final ConfigKey<Duration> LEASE =
      ConfigKey.duration("rate.lease")
          .defaultsTo("3s")
          .mustBe("at least 1s", lease -> lease.toMillis() >= 1000)
          .doc(
              "How long a share of the rate is valid. An executor that has no valid share"
                  + " decides alone.");

  static final ConfigKey<Duration> WAIT_MAX =
      ConfigKey.duration("rate.wait.max")
          .defaultsTo("10m")
          .mustBe("at least 1s", wait -> wait.toMillis() >= 1000)
          .doc(
              "Longest time that a request waits for its rate permit; then it fails, and the"
                  + " error says so.");

  public static final List<ConfigKey<?>> KEYS =
      Stream.concat(
              Stream.of(POLICY, TARGET, MIN, MAX, CLUSTER_MAX, REPORT_PERIOD, LEASE, WAIT_MAX),
              AimdConfig.KEYS.stream())
          .toList();

  /**
   * Reads the settings; EMRFS's switch chooses the policy {@code aimd} if {@code rate.policy} is
   * not set.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static RateConfig from(Settings settings) {
    boolean emrfs = settings.get(AimdConfig.ENABLED) && settings.sourceOf(POLICY).isEmpty();
    RatePolicy policy = emrfs ? RatePolicy.AIMD : settings.get(POLICY);
    checkLimits(settings, policy);
    return new RateConfig(
        policy,
        settings.get(TARGET),
        settings.get(MIN),
        settings.get(MAX),
        settings.get(CLUSTER_MAX),
        settings.get(REPORT_PERIOD),
        settings.get(LEASE),
        settings.get(WAIT_MAX),
        AimdConfig.from(settings));
  }

  private static void checkLimits(Settings settings, RatePolicy policy) {
    if (policy != RatePolicy.ADAPTIVE && settings.get(CLUSTER_MAX) < Double.POSITIVE_INFINITY) {
      throw new ConfigException(
          "%s needs penstock.rate.policy=adaptive: under other policies, processes do not talk to"
                  .formatted(settings.sourceOf(CLUSTER_MAX).orElse(CLUSTER_MAX.fullName()))
              + " the driver. Set penstock.rate.max, which limits each process.");
    }
    for (ConfigKey<Double> limit : List.of(MAX, CLUSTER_MAX)) {
      if (settings.get(limit) < settings.get(MIN)) {
        throw new ConfigException(
            "%s=%s is less than %s=%s. Lower the minimum, too."
                .formatted(
                    settings.sourceOf(limit).orElse(limit.fullName()),
                    settings.get(limit),
                    settings.sourceOf(MIN).orElse(MIN.fullName()),
                    settings.get(MIN)));
      }
    }
  }

  /** Returns true if there is a limit for a process or for all of them. */
  boolean isLimited() {
    return maxRate < Double.POSITIVE_INFINITY || clusterMaxRate < Double.POSITIVE_INFINITY;
  }

  /** Returns the configuration that applies if no key is set. */
  public static RateConfig defaults() {
    return from(Settings.of(Map.of()));
  }

  public RateConfig withPolicy(RatePolicy other) {
    return new RateConfig(
        other, target, minRate, maxRate, clusterMaxRate, reportPeriod, lease, waitMax, aimd);
  }
}
