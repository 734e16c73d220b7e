/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.spark.heartbeat.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the driver what this executor has sent so far, whenever that has changed. */
public final class ExecutorMetrics implements Section {
  /** The name of the section in which executors tell what they have sent. */
  static final String METRICS = "metrics";

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorMetrics.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final StoreMetrics metrics;
  private MetricsSnapshot asked = MetricsSnapshot.NONE;
  private MetricsSnapshot told;

  public ExecutorMetrics(StoreMetrics metrics) {
    this.metrics = metrics;
    this.told = new StoreMetrics().snapshot();
  }

  @Override
  public String name() {
    return METRICS;
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public Optional<byte[]> question() throws IOException {
    asked = metrics.snapshot();
    return asked.equals(told) ? Optional.empty() : Optional.of(MetricsMessages.toBytes(asked));
  }

  @Override
  public boolean tellsLast() {
    return true;
  }

  @Override
  public void answered(byte[] answer) {
    told = asked;
  }

  /** Does nothing: the next round tells all again. */
  @Override
  public void failed(Exception why) {
    LOG.debug("this executor could not report its requests to the driver: {}", why.toString());
  }
}
