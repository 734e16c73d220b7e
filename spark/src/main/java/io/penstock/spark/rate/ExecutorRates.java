/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RateReport;
import io.penstock.core.stack.Engine;
import io.penstock.spark.periodic.PeriodicThread;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.plugin.PluginContext;

/**
 * The coordination of request rates in an executor's process. One thread asks the driver. An answer
 * may take as long as {@code spark.rpc.askTimeout}, which cannot be set for a single call. Only
 * that thread waits for the answer, and meanwhile the lease ends.
 */
public final class ExecutorRates implements AutoCloseable {
  private final PeriodicThread loop;

  private ExecutorRates(PeriodicThread loop) {
    this.loop = loop;
  }

  /**
   * Starts the coordination. Returns empty if the driver coordinates nothing. Also returns empty in
   * local mode, where this process is the driver's and already takes part as the driver.
   *
   * @param fromDriver the result of {@link DriverRates#forExecutors}
   */
  public static Optional<ExecutorRates> start(
      Engine engine, PluginContext context, Map<String, String> fromDriver) {
    String period = fromDriver.get(DriverRates.PERIOD);
    String lease = fromDriver.get(DriverRates.LEASE);
    if (period == null || lease == null || context.executorID().equals(RateCoordinator.DRIVER)) {
      return Optional.empty();
    }
    RateControl control = engine.rates();
    control.led();
    RateGauges gauges = new RateGauges(context.metricRegistry(), "rate", control::rates);
    RateParticipant participant =
        new RateParticipant(
            control, reports -> ask(context, reports), engine.time(), Duration.parse(lease));
    PeriodicThread loop =
        PeriodicThread.start(
            "penstock-rate",
            DriverRates.TROUBLE,
            Duration.parse(period),
            engine.time(),
            () -> {
              participant.round();
              gauges.refresh();
            });
    return Optional.of(new ExecutorRates(loop));
  }

  private static Map<GroupId, Lease> ask(PluginContext context, Map<GroupId, RateReport> reports)
      throws Exception {
    Object answer = context.ask(RateMessages.request(context.executorID(), reports));
    if (!(answer instanceof byte[] bytes)) {
      throw new IOException("the driver's answer is no message of Penstock: " + answer);
    }
    return RateMessages.readLeases(bytes);
  }

  @Override
  public void close() {
    loop.close();
  }
}
