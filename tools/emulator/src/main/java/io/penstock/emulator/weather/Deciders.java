/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.s3model.Latency;
import io.penstock.s3model.S3Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Decides the delay and the fault of each request. The same seed and requests give the same
 * decisions.
 */
final class Deciders {
  private static final long MIN_REJECTION_MILLIS = 10;
  private static final long MAX_REJECTION_MILLIS = 30;

  private final Weather weather;
  private final Optional<Throttle> throttle;
  private final FaultScript faults;
  private final SplittableRandom latencyChance;
  private final SplittableRandom rejectionChance;

  /** The delay of a request, and the fault that strikes after the delay. */
  record Decision(Duration delay, Fault fault) {}

  Deciders(Weather weather) {
    SplittableRandom chance = new SplittableRandom(weather.seed());
    latencyChance = chance.split();
    rejectionChance = chance.split();
    faults = new FaultScript(weather.faults(), chance.split());
    this.weather = weather;
    throttle = weather.throttle().map(Throttle::new);
  }

  /** Returns true if the keys of this bulk delete must be counted before the decision. */
  boolean weighs(S3Call call) {
    return throttle.isPresent() && call.operation() == S3Operation.DELETE_OBJECTS;
  }

  /** Returns the keys of this call that are refused one by one, if there may be any. */
  Optional<RefusedKeys> refusedKeys(S3Call call) {
    return call.operation() == S3Operation.DELETE_OBJECTS && faults.refusesKeys()
        ? Optional.of(new RefusedKeys(faults::refusal))
        : Optional.empty();
  }

  /**
   * Decides the delay and the fault of a call.
   *
   * @param isConditional whether it requires something of the object at its key
   * @param weight number of requests that the call counts for: S3 counts each key of a bulk delete
   * @param called address of the server
   */
  synchronized Decision decide(
      S3Call call, boolean isConditional, int weight, String called, long nowNanos) {
    if (throttle.isPresent() && !throttle.get().admits(call, weight, nowNanos)) {
      long millis = rejectionChance.nextLong(MIN_REJECTION_MILLIS, MAX_REJECTION_MILLIS + 1);
      return new Decision(
          Duration.ofMillis(millis), Fault.error(Fault.Kind.ERROR_BEFORE, S3Error.slowDown()));
    }
    String key = call.key().isEmpty() ? call.query().get("prefix") : call.key();
    Fault fault = faults.next(call.operation(), key, isConditional);
    Latency law = weather.latencies().getOrDefault(call.operation(), weather.latency());
    Duration delay =
        law.exceededBy(1 - latencyChance.nextDouble())
            .plus(weather.slowAddresses().getOrDefault(called, Duration.ZERO));
    return new Decision(delay.plus(fault.stall()), fault);
  }
}
