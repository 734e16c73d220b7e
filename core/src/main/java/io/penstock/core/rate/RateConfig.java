/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.rate.aimd.AimdConfig;
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
    return equals(other.waitingUpTo(waitMax));
  }

  private RateConfig waitingUpTo(Duration most) {
    return new RateConfig(
        policy, target, minRate, maxRate, clusterMaxRate, reportPeriod, lease, most, aimd);
  }

  static final ConfigKey<RatePolicy> POLICY =
      ConfigKey.choice("rate.policy", RatePolicy.class)
          .defaultsTo("adaptive")
          .doc(
              "How the request rate is limited: adaptive (no cap until the store throttles),"
                  + " aimd (as EMRFS documents it), backoff (no cap, only retries), none (a"
                  + " throttled request fails).");

  static final ConfigKey<Double> MAX =
      atLeastMin("rate.max")
          .doc(
              "Maximum number of requests per second that a process sends to a bucket. The limit"
                  + " holds for reads and for writes separately.");

  static final ConfigKey<Double> CLUSTER_MAX =
      atLeastMin("rate.cluster.max")
          .doc(
              "Maximum requests per second that all processes of an application send to a bucket"
                  + " together. The limit holds for reads and for writes separately. The driver"
                  + " divides it among processes by need.");

  public static final List<ConfigKey<?>> KEYS =
      Stream.concat(Stream.of(POLICY, MAX, CLUSTER_MAX), AimdConfig.KEYS.stream()).toList();

  /** With 0, capacity would stay unused. */
  private static final double TARGET = 0.003;

  /** So that a process notices that the store serves again. */
  private static final double MIN = 1;

  private static final Duration REPORT_PERIOD = Duration.ofMillis(500);

  /** Six reports: one that is late or lost does not matter. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** A judgement: whoever waits longer for a permit would rather know. */
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static RateConfig from(Settings settings) {
    RatePolicy policy = settings.get(POLICY);
    checkLimits(settings, policy);
    return new RateConfig(
        policy,
        TARGET,
        MIN,
        settings.get(MAX),
        settings.get(CLUSTER_MAX),
        REPORT_PERIOD,
        LEASE,
        WAIT_MAX,
        AimdConfig.from(settings));
  }

  private static void checkLimits(Settings settings, RatePolicy policy) {
    if (policy != RatePolicy.ADAPTIVE && settings.get(CLUSTER_MAX) < Double.POSITIVE_INFINITY) {
      throw new ConfigException(
          "%s needs penstock.rate.policy=adaptive: under other policies, processes do not talk to"
                  .formatted(settings.sourceOf(CLUSTER_MAX).orElse(CLUSTER_MAX.fullName()))
              + " the driver. Set penstock.rate.max, which limits each process.");
    }
  }

  private static ConfigKey<Double> atLeastMin(String name) {
    return ConfigKey.limit(name).mustBe("at least 1, or none", rate -> rate >= MIN);
  }

  /**
   * Returns the switches of EMRFS's rate control that are on, if the user has not chosen a policy
   * of Penstock.
   */
  public static List<String> switchesOfEmrfs(Settings settings) {
    return settings.sourceOf(POLICY).isPresent()
        ? List.of()
        : AimdConfig.SWITCHES.stream()
            .filter(name -> settings.foreign(name).filter("true"::equalsIgnoreCase).isPresent())
            .toList();
  }

  /** Returns the settings of AIMD that are set although the policy is another one. */
  public static List<String> unusedOfAimd(Settings settings) {
    return settings.get(POLICY) == RatePolicy.AIMD
        ? List.of()
        : AimdConfig.KEYS.stream().flatMap(key -> settings.sourceOf(key).stream()).toList();
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
