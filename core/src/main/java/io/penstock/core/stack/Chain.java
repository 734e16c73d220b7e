/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.config.Settings;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.deadline.DeadlineLayer;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.endpoint.EndpointState;
import io.penstock.core.hedge.HedgeConfig;
import io.penstock.core.hedge.HedgeDecider;
import io.penstock.core.hedge.HedgeLayer;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.AttemptMeter;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateLayer;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.read.footer.FooterForgetter;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ObserveLayer;
import io.penstock.core.retry.Probe;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryLayer;
import java.util.List;

/**
 * The layers that a request to one bucket passes. Only this class puts them together.
 *
 * <pre>
 *   RetryLayer       repeats a failed attempt, and settles a lost answer
 *       |
 *   RateLayer        waits for a permit
 *       |
 *   HedgeLayer  ---- beside a slow attempt ----&gt;  RateLayer   a permit of its own
 *       |                                             |
 *   DeadlineLayer  &lt;----------------------------------+        cuts, and learns latencies
 *       |
 *   ObserveLayer     shows the attempt to those who only watch
 *       |
 *   the end          the store, or an HTTP client
 * </pre>
 *
 * <p>Retry is outermost so that it can repeat any attempt. A request takes its permit before its
 * attempts race, so a wait for a permit never starts a hedge. Each attempt of a race has its own
 * deadline. Whoever watches sees every attempt, as the store does.
 */
public final class Chain {
  private final Engine engine;
  private final EndpointState endpoint;
  private final RateConfig rate;
  private final RateLayer paced;

  /**
   * @param end the last layer, which sends the exchange
   * @param endpoint that all requests go to
   * @param bucket that all requests are for
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  public Chain(Engine engine, Layer end, EndpointState endpoint, String bucket, Settings settings) {
    this.engine = engine;
    this.endpoint = endpoint;
    this.rate = RateConfig.from(settings);
    HedgeConfig hedge = HedgeConfig.from(settings);
    LatencyModel model = endpoint.latencies(hedge.quantile());
    DeadlineDecider deadlines = new DeadlineDecider(DeadlineConfig.from(settings), model);
    Watchdog watch = engine.watch();
    HedgeMetrics metrics = engine.metrics().hedges();
    Layer timely = new DeadlineLayer(observed(end), deadlines, model, watch, metrics);
    Layer hedging =
        new HedgeLayer(
            timely,
            paced(timely, bucket),
            hedge,
            new HedgeDecider(hedge, model),
            watch,
            metrics,
            engine.secondAttempts());
    this.paced = paced(hedging, bucket);
  }

  private Layer observed(Layer end) {
    return new ObserveLayer(
        end,
        engine.time(),
        List.of(
            new AttemptMeter(engine.time(), engine.metrics(), engine.events()),
            endpoint.readSpeed(),
            endpoint.partSpeed(),
            new FooterForgetter(endpoint.name(), engine.footers()),
            engine.unansweredWrites(),
            engine.cutWrites()));
  }

  private RateLayer paced(Layer inner, String bucket) {
    return new RateLayer(
        inner, bucket, engine.rates(), rate, engine.time(), engine.metrics(), engine.events());
  }

  /** Returns the layer below the retries: what passes it is made once. */
  public Layer once() {
    return paced;
  }

  /** Returns a layer for work that needs no permit, which only tells what a throttled one does. */
  Layer withoutPermits() {
    return paced.withoutPermits();
  }

  /**
   * Returns the whole chain with these limits of retries.
   *
   * @param probe finds out whether the endpoint serves other requests
   */
  public RetryLayer retrying(RetryConfig retries, Probe probe) {
    return new RetryLayer(
        paced,
        rate.policy() == RatePolicy.NONE ? retries.failingWhenThrottled() : retries,
        endpoint.presence(),
        probe,
        engine.time(),
        engine.chance(),
        List.of(engine.metrics()));
  }
}
