/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.s3model.Latency;
import io.penstock.s3model.S3Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** Decides what a request has to wait and suffer. Same seed, same requests: same decisions. */
final class Deciders {
  private static final long MIN_REJECTION_MILLIS = 10;
  private static final long MAX_REJECTION_MILLIS = 30;

  private final Weather weather;
  private final Optional<Throttle> throttle;
  private final FaultScript faults;
  private final SplittableRandom latencyChance;
  private final SplittableRandom rejectionChance;

  /** Wait, then suffer. */
  record Decision(Duration delay, Fault fault) {}

  Deciders(Weather weather) {
    SplittableRandom chance = new SplittableRandom(weather.seed());
    latencyChance = chance.split();
    rejectionChance = chance.split();
    faults = new FaultScript(weather.faults(), chance.split());
    this.weather = weather;
    throttle = weather.throttle().map(Throttle::new);
  }

  /** Returns true if the keys of a bulk delete are worth counting. */
  boolean weighs(S3Call call) {
    return throttle.isPresent() && call.operation() == S3Operation.DELETE_OBJECTS;
  }

  /**
   * Says what becomes of a call.
   *
   * @param weight how many requests it counts for: S3 counts the keys of a bulk delete
   * @param called address of the server
   */
  synchronized Decision decide(S3Call call, int weight, String called, long nowNanos) {
    if (throttle.isPresent() && !throttle.get().admits(call, weight, nowNanos)) {
      long millis = rejectionChance.nextLong(MIN_REJECTION_MILLIS, MAX_REJECTION_MILLIS + 1);
      return new Decision(
          Duration.ofMillis(millis), Fault.error(Fault.Kind.ERROR_BEFORE, S3Error.slowDown()));
    }
    Fault fault = faults.next(call.operation());
    Latency law = weather.latencies().getOrDefault(call.operation(), weather.latency());
    Duration delay =
        law.exceededBy(1 - latencyChance.nextDouble())
            .plus(weather.slowAddresses().getOrDefault(called, Duration.ZERO));
    return new Decision(delay.plus(fault.stall()), fault);
  }
}
