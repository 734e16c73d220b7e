/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;

/** What Spark gives a plugin, on an executor of that name, without a driver to talk to. */
final class FakeContext implements PluginContext {
  private final MetricRegistry registry = new MetricRegistry();
  private final String executor;

  FakeContext(String executor) {
    this.executor = executor;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }

  @Override
  public SparkConf conf() {
    return new SparkConf(false);
  }

  @Override
  public String executorID() {
    return executor;
  }

  @Override
  public String hostname() {
    return "localhost";
  }

  @Override
  public Map<String, ResourceInformation> resources() {
    return Map.of();
  }

  @Override
  public void send(Object message) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object ask(Object message) {
    throw new IllegalStateException("Connection refused");
  }
}
