/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.retry.RetryBudget;
import io.penstock.core.store.Operation;
import java.util.Locale;
import java.util.Map;
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
 * renames back. On every node it adds request counts to Spark's metrics, and bounds what a task
 * waits for retries.
 */
public final class PenstockPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public Map<String, String> init(SparkContext spark, PluginContext context) {
        new Wiring(spark).apply();
        return Map.of();
      }

      @Override
      public void registerMetrics(String appId, PluginContext context) {
        registerCounts(context);
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> extraConf) {
        registerCounts(context);
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
      com.codahale.metrics.Gauge<Long> gauge = () -> metrics.counts().get(operation).attempts();
      context.metricRegistry().register(name, gauge);
    }
  }
}
