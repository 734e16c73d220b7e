/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import com.codahale.metrics.Gauge;
import io.penstock.core.config.Settings;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.Traffic;
import io.penstock.core.retry.RetryBudget;
import io.penstock.core.store.Operation;
import io.penstock.spark.rate.DriverRates;
import io.penstock.spark.rate.ExecutorRates;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * The one line that switches a cluster over: {@code
 * spark.plugins=io.penstock.spark.PenstockPlugin}. It registers the file system for {@code s3} and
 * {@code s3a}, the committers and flat listing, and refuses to start where a setting would bring
 * renames back. On every node it adds request counts to Spark's metrics, shares request rates out
 * among the executors, and bounds what a task waits for retries.
 */
public final class PenstockPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      private Optional<DriverRates> rates = Optional.empty();

      @Override
      public Map<String, String> init(SparkContext spark, PluginContext context) {
        Settings settings = new Wiring(spark).apply();
        rates = DriverRates.start(spark, context, settings);
        return rates.map(DriverRates::forExecutors).orElse(Map.of());
      }

      @Override
      public Object receive(Object message) {
        return rates.orElseThrow().receive(message);
      }

      @Override
      public void registerMetrics(String appId, PluginContext context) {
        registerCounts(context);
      }

      @Override
      public void shutdown() {
        rates.ifPresent(DriverRates::close);
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      private Optional<ExecutorRates> rates = Optional.empty();

      @Override
      public void init(PluginContext context, Map<String, String> extraConf) {
        registerCounts(context);
        rates = ExecutorRates.start(context, extraConf);
      }

      @Override
      public void shutdown() {
        rates.ifPresent(ExecutorRates::close);
      }

      /** Spark calls this and the next two in the task's own thread. */
      @Override
      public void onTaskStart() {
        RetryBudget.begin();
      }

      @Override
      public void onTaskSucceeded() {
        RetryBudget.end();
      }

      @Override
      public void onTaskFailed(TaskFailedReason reason) {
        RetryBudget.end();
      }
    };
  }

  private static void registerCounts(PluginContext context) {
    StoreMetrics metrics = StoreMetrics.process();
    for (Operation operation : Operation.values()) {
      String name = "requests." + operation.name().toLowerCase(Locale.ROOT);
      register(context, name, () -> metrics.counts().get(operation).attempts());
    }
    register(context, "throttled.reads", () -> throttled(metrics, Traffic.READ));
    register(context, "throttled.writes", () -> throttled(metrics, Traffic.WRITE));
    register(context, "waits", () -> metrics.waits().times());
    register(context, "waits.millis", () -> metrics.waits().nanos() / 1_000_000);
  }

  private static void register(PluginContext context, String name, Gauge<Long> gauge) {
    context.metricRegistry().register(name, gauge);
  }

  private static long throttled(StoreMetrics metrics, Traffic traffic) {
    return metrics.counts().entrySet().stream()
        .filter(count -> Traffic.of(count.getKey()) == traffic)
        .mapToLong(count -> count.getValue().throttled())
        .sum();
  }
}
