/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.s3model.Latency;
import io.penstock.s3model.S3Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latency, throttling and faults of a store.
 *
 * @param seed of all random draws
 * @param latency delay before each response
 * @param latencies delays of operations that have their own law
 * @param throttle rule for 503 responses of overloaded partitions
 * @param bytesPerSecond limit of each connection in each direction; 0 for no limit
 * @param faults scripted or random faults
 * @param slowAddresses additional delay before each response of these server addresses
 * @param actsForTheGone whether a request is executed although its client disconnected while it
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
  /** No latency, no throttling, no faults. */
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

  /**
   * Returns this weather with these latency laws for some operations instead of the general law.
   */
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

  /**
   * Returns this weather with a bandwidth limit, which takes effect on new connections.
   *
   * @param bytesPerSecondAndConnection in each direction; 0 for no limit; a negative number throws
   *     an IllegalArgumentException
   */
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
   * Returns this weather with these faults only.
   *
   * @param rules in the form that {@link FaultRule} describes
   * @throws IllegalArgumentException when a rule is malformed; the message names it and the valid
   *     forms
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
   * Returns this weather with an additional delay at these addresses of the server.
   *
   * @param byAddress such as {@code 127.0.0.2}
   */
  public Weather withSlowAddresses(Map<String, Duration> byAddress) {
    return new Weather(
        seed, latency, latencies, throttle, bytesPerSecond, faults, byAddress, actsForTheGone);
  }

  /** Returns this weather, also executing requests whose clients have disconnected. */
  public Weather actingForTheGone() {
    return new Weather(
        seed, latency, latencies, throttle, bytesPerSecond, faults, slowAddresses, true);
  }

  boolean isCalm() {
    return equals(CALM.withSeed(seed));
  }
}
