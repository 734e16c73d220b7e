/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.stack.Engine;
import io.penstock.spark.heartbeat.Section;
import io.penstock.spark.metrics.DeclaredMetric;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.plugin.PluginContext;

/** The coordination of request rates in an executor's process. */
public final class ExecutorRates {
  private ExecutorRates() {}

  /**
   * Returns the executor's part. Returns empty if the driver coordinates nothing. Also returns
   * empty in local mode, where this process is the driver's and already takes part as the driver.
   *
   * @param fromDriver the result of {@link DriverRates#forExecutors}
   */
  public static Optional<Section> join(
      Engine engine, PluginContext context, Map<String, String> fromDriver) {
    String period = fromDriver.get(DriverRates.PERIOD);
    String lease = fromDriver.get(DriverRates.LEASE);
    if (period == null || lease == null || context.executorID().equals(RateCoordinator.DRIVER)) {
      return Optional.empty();
    }
    engine.rates().led();
    RateGauges gauges =
        new RateGauges(context.metricRegistry(), DeclaredMetric.RATE, engine.rates()::rates);
    return Optional.of(
        new RateParticipant(
            engine.rates(),
            engine.time(),
            Duration.parse(period),
            Duration.parse(lease),
            gauges::refresh));
  }
}
