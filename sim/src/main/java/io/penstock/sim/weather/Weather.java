/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.weather;

import java.util.List;
import java.util.Optional;

/**
 * What a store is to suffer from.
 *
 * @param seed of all chance in it
 * @param latency added before each answer
 * @param throttle 503 for partitions that are asked too much
 * @param bytesPerSecond that each connection carries, each way; 0 for no cap
 */
public record Weather(
    long seed,
    Latency latency,
    Optional<ThrottleRule> throttle,
    long bytesPerSecond,
    List<FaultRule> faults) {
  /** Fast, never busy, never broken. */
  public static final Weather CALM = new Weather(1, Latency.NONE, Optional.empty(), 0, List.of());

  public Weather {
    faults = List.copyOf(faults);
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("bytesPerSecond must not be negative: " + bytesPerSecond);
    }
  }

  public Weather withSeed(long number) {
    return new Weather(number, latency, throttle, bytesPerSecond, faults);
  }

  public Weather withLatency(Latency law) {
    return new Weather(seed, law, throttle, bytesPerSecond, faults);
  }

  public Weather withThrottle(ThrottleRule rule) {
    return new Weather(seed, latency, Optional.of(rule), bytesPerSecond, faults);
  }

  /** Takes effect on connections made from then on. */
  public Weather withBandwidth(long bytesPerSecondAndConnection) {
    return new Weather(seed, latency, throttle, bytesPerSecondAndConnection, faults);
  }

  /**
   * With these faults and no other.
   *
   * @param rules as {@link FaultRule} explains
   */
  public Weather withFaults(String rules) {
    return new Weather(seed, latency, throttle, bytesPerSecond, FaultRule.parseAll(rules));
  }

  boolean isCalm() {
    return equals(CALM.withSeed(seed));
  }
}
