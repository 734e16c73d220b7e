/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.caller.Caller;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.BodyGate;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.Request;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;

/** A store behind rate control, and no other layer. */
public final class PacedStore extends StoreWrapper {
  private final RateControl control;
  private final RateConfig config;
  private final Time time;
  private final RateLayer layer;

  public PacedStore(
      ObjectStore end,
      RateControl control,
      RateConfig config,
      Time time,
      StoreMetrics metrics,
      RequestEvents events) {
    this(
        end,
        new RateLayer(new ThreadEnd(), end.bucket(), control, config, time, metrics, events),
        control,
        config,
        time);
  }

  private PacedStore(
      ObjectStore end, RateLayer layer, RateControl control, RateConfig config, Time time) {
    super(LayeredStores.of(end, layer));
    this.layer = layer;
    this.control = control;
    this.config = config;
    this.time = time;
  }

  /** Returns the configuration with other times than the usual ones. */
  static RateConfig patient(RateConfig of, Duration lease, Duration waitMax) {
    return new RateConfig(
        of.policy(),
        of.target(),
        of.minRate(),
        of.maxRate(),
        of.clusterMaxRate(),
        of.reportPeriod(),
        lease,
        waitMax,
        of.aimd());
  }

  /** Returns the layer, for a store that has more of them. */
  public Layer layer() {
    return layer;
  }

  int queues() {
    return layer.queues();
  }

  /** Returns what such a request is told now when it fails. */
  Repeat repeatOf(Operation operation, String key) {
    GroupId id = new GroupId(bucket(), Traffic.of(operation));
    long now = time.nowNanos();
    return control.join(id, config, now).group(now).pacerOf(key).repeat();
  }

  /** Makes an attempt beside a slow one. */
  <T> T beside(Operation operation, String key, Exchange<T> exchange) throws IOException {
    Context first = Context.of(Caller.NOBODY);
    Context second = first.beside(Attempt.beside(first.attempt()), 1, new BodyGate());
    return layer.send(Request.of(operation, bucket(), key), second, exchange);
  }
}
