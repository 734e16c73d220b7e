/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateDriver;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The driver's part: answers the reports of all processes, its own among them. Nothing here waits,
 * since Spark calls it on the one thread that serves all plugin messages.
 */
final class RateCoordinator {
  /** What Spark calls the driver among the executors. */
  static final String DRIVER = "driver";

  private final RateDriver driver;
  private final Time time;

  /**
   * @param configs of buckets, by name; each is asked for once
   */
  RateCoordinator(Function<String, RateConfig> configs, Time time) {
    Map<String, RateConfig> known = new ConcurrentHashMap<>();
    this.driver = new RateDriver(bucket -> known.computeIfAbsent(bucket, configs));
    this.time = time;
  }

  /**
   * The answer to an executor's message.
   *
   * @throws IOException when it is not one of ours
   */
  byte[] answer(byte[] message) throws IOException {
    RateMessages.Request request = RateMessages.readRequest(message);
    return RateMessages.leases(
        driver.exchange(request.executor(), request.reports(), time.nowNanos()));
  }

  /** For the driver's own requests, such as those of a job's commit. */
  RateExchange own() {
    return reports -> driver.exchange(DRIVER, reports, time.nowNanos());
  }

  void forget(String executor) {
    driver.forget(executor);
  }

  /** Requests a second that all together are allowed, by group and partition. */
  Map<GroupId, Map<String, Double>> rates() {
    return driver.rates();
  }
}
