/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.s3model.Latency;
import io.penstock.s3model.S3Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The troubles of a store.
 *
 * @param seed of all chance in it
 * @param latency added before each answer
 * @param latencies of operations that have their own
 * @param throttle 503 for partitions that are asked too much
 * @param bytesPerSecond that each connection carries, each way; 0 for no cap
 * @param faults by script or by chance
 * @param slowAddresses added before each answer of these addresses of the server
 * @param actsForTheGone whether a request is carried out although its client went away while it
 *     waited; S3 may do that
 */
public record Weather(
    long seed,
    Latency latency,
    Map<S3Operation, Latency> latencies,
    Optional<ThrottleRule> throttle,
    long bytesPerSecond,
    List<FaultRule> faults,
    Map<String, Duration> slowAddresses,
    boolean actsForTheGone) {
  /** Fast, never busy, never broken. */
  public static final Weather CALM =
      new Weather(1, Latency.NONE, Map.of(), Optional.empty(), 0, List.of(), Map.of(), false);

  public Weather {
    latencies = Map.copyOf(latencies);
    faults = List.copyOf(faults);
    slowAddresses = Map.copyOf(slowAddresses);
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("bytesPerSecond must not be negative: " + bytesPerSecond);
    }
  }

  public Weather withSeed(long number) {
    return new Weather(
        number,
        latency,
        latencies,
        throttle,
        bytesPerSecond,
        faults,
        slowAddresses,
        actsForTheGone);
  }

  public Weather withLatency(Latency law) {
    return new Weather(
        seed, law, latencies, throttle, bytesPerSecond, faults, slowAddresses, actsForTheGone);
  }

  /** Returns it with these laws for some operations instead of the other law. */
  public Weather withLatencies(Map<S3Operation, Latency> laws) {
    return new Weather(
        seed, latency, laws, throttle, bytesPerSecond, faults, slowAddresses, actsForTheGone);
  }

  public Weather withThrottle(ThrottleRule rule) {
    return new Weather(
        seed,
        latency,
        latencies,
        Optional.of(rule),
        bytesPerSecond,
        faults,
        slowAddresses,
        actsForTheGone);
  }

  /** Takes effect on connections made from then on. */
  public Weather withBandwidth(long bytesPerSecondAndConnection) {
    return new Weather(
        seed,
        latency,
        latencies,
        throttle,
        bytesPerSecondAndConnection,
        faults,
        slowAddresses,
        actsForTheGone);
  }

  /**
   * Returns it with these faults and no other.
   *
   * @param rules as {@link FaultRule} explains
   */
  public Weather withFaults(String rules) {
    return new Weather(
        seed,
        latency,
        latencies,
        throttle,
        bytesPerSecond,
        FaultRule.parseAll(rules),
        slowAddresses,
        actsForTheGone);
  }

  /**
   * Returns it with these addresses of the server slower than the others.
   *
   * @param byAddress such as {@code 127.0.0.2}
   */
  public Weather withSlowAddresses(Map<String, Duration> byAddress) {
    return new Weather(
        seed, latency, latencies, throttle, bytesPerSecond, faults, byAddress, actsForTheGone);
  }

  /** Also carries out what nobody waits for any more. */
  public Weather actingForTheGone() {
    return new Weather(
        seed, latency, latencies, throttle, bytesPerSecond, faults, slowAddresses, true);
  }

  boolean isCalm() {
    return equals(CALM.withSeed(seed));
  }
}
