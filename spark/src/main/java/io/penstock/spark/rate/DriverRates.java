/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.config.Settings;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.stack.Engine;
import io.penstock.spark.heartbeat.DriverSection;
import io.penstock.spark.heartbeat.PeriodicThread;
import io.penstock.spark.metrics.DeclaredMetric;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coordination of request rates in the driver's process. */
public final class DriverRates implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverRates.class);

  /** Sent to the executors, so that they need not read the configuration again. */
  static final String PERIOD = "rate.report.period";

  static final String LEASE = "rate.lease";

  private static final String TROUBLE = "Request rates are not coordinated now";

  private final RateConfig config;
  private final RateCoordinator coordinator;
  private final PeriodicThread loop;

  private DriverRates(RateConfig config, RateCoordinator coordinator, PeriodicThread loop) {
    this.config = config;
    this.coordinator = coordinator;
    this.loop = loop;
  }

  /**
   * Starts the coordination. Returns empty if the policy needs no coordination. Its Spark listener
   * stays after {@link #close}.
   *
   * @throws io.penstock.core.config.ConfigException when a setting of rate control is not valid
   */
  public static Optional<DriverRates> start(
      Engine engine, SparkContext spark, PluginContext context, Settings settings) {
    RateConfig config = RateConfig.from(settings);
    if (config.policy() != RatePolicy.ADAPTIVE && !isSetByBucket(spark)) {
      return Optional.empty();
    }
    RateCoordinator coordinator =
        new RateCoordinator(bucket -> RateConfig.from(settings.forBucket(bucket)), engine.time());
    spark.addSparkListener(forgetsTheLost(coordinator));
    engine.rates().led();
    PeriodicThread loop =
        PeriodicThread.start(
            "penstock-heartbeat",
            TROUBLE,
            config.reportPeriod(),
            engine.time(),
            round(engine.rates(), coordinator, context));
    return Optional.of(new DriverRates(config, coordinator, loop));
  }

  private static boolean isSetByBucket(SparkContext spark) {
    return spark.hadoopConfiguration().getPropsWithPrefix("penstock.bucket.").keySet().stream()
        .anyMatch(name -> name.endsWith(".rate.policy"));
  }

  private static SparkListener forgetsTheLost(RateCoordinator coordinator) {
    return new SparkListener() {
      @Override
      public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        coordinator.forget(removed.executorId());
      }
    };
  }

  private static PeriodicThread.Round round(
      RateControl control, RateCoordinator coordinator, PluginContext context) {
    RateGauges own = new RateGauges(context.metricRegistry(), DeclaredMetric.RATE, control::rates);
    RateGauges all =
        new RateGauges(context.metricRegistry(), DeclaredMetric.CLUSTER_RATE, coordinator::rates);
    RateNews news = new RateNews();
    return () -> {
      coordinator.takePart(control);
      news.of(coordinator.rates()).forEach(LOG::info);
      own.refresh();
      all.refresh();
    };
  }

  /** Returns the settings that executors need to take part. */
  public Map<String, String> forExecutors() {
    return Map.of(PERIOD, config.reportPeriod().toString(), LEASE, config.lease().toString());
  }

  /**
   * Returns the requests per second that all processes together are allowed, by group and
   * partition.
   */
  public Map<GroupId, Map<String, Double>> allowed() {
    return coordinator.rates();
  }

  /** Returns the driver's answers to the executors' reports. */
  public DriverSection section() {
    return coordinator;
  }

  @Override
  public void close() {
    loop.close();
  }
}
