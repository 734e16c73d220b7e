/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.deadline.Watchdog;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a second attempt beside a slow one and takes the first answer. Only requests that may be
 * made twice at the same time are hedged, see {@link Doubling}.
 */
public final class HedgeLayer implements Layer {
  private static final Logger LOG = LoggerFactory.getLogger(HedgeLayer.class);

  /** Only a very slow attempt is worth the traces that a second one may leave. */
  private static final long LATE_NANOS = Duration.ofSeconds(2).toNanos();

  private final Layer inner;
  private final HedgeConfig config;
  private final HedgeDecider decider;
  private final Race.Track track;

  /** False once two attempts of a write were seen to get different answers. */
  private volatile boolean isEverCertain = true;

  /**
   * @param inner what first attempts pass
   * @param beside what hedges pass: they wait there for permits of their own, and then pass {@code
   *     inner}, too
   * @param pool runs second attempts; it refuses work when it has no free thread
   */
  public HedgeLayer(
      Layer inner,
      Layer beside,
      HedgeConfig config,
      HedgeDecider decider,
      Watchdog watch,
      HedgeMetrics metrics,
      Executor pool) {
    this.inner = inner;
    this.config = config;
    this.decider = decider;
    this.track = new Race.Track(inner, beside, decider, watch, pool, metrics);
  }

  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    Doubling doubling = config.enabled() ? request.doubling() : Doubling.NEVER;
    return switch (doubling) {
      case NEVER -> inner.send(request, context, exchange);
      case ANY_TIME -> new Race<>(track, delayNanos(request), request, exchange).run(context);
      case IF_CERTAIN -> certain(0, request, context, exchange);
      case LATE_IF_CERTAIN -> certain(LATE_NANOS, request, context, exchange);
    };
  }

  private long delayNanos(Request<?> request) {
    return decider.begin(request.operation(), request.weightBytes());
  }

  /**
   * Makes sure that the answer is the one that the store has kept. If ETags are made of the
   * content, two attempts with the same bytes get the same ETag. With KMS or customer keys they
   * differ. Then only a write without a second attempt has a certain ETag, so from then on writes
   * are not hedged.
   */
  private <T> T certain(long leastNanos, Request<T> request, Context context, Exchange<T> exchange)
      throws IOException {
    if (!isEverCertain) {
      return inner.send(request, context, exchange);
    }
    long delayNanos = Math.max(leastNanos, delayNanos(request));
    Race<T> race = new Race<>(track, delayNanos, request, exchange);
    T answer = race.run(context);
    if (!race.anotherMayHaveArrived() || request.resolution().isCertain(answer)) {
      return answer;
    }
    if (isEverCertain) {
      isEverCertain = false;
      LOG.info(
          "{}: the store's ETags do not depend on the content, so writes are no longer hedged",
          request.bucket());
    }
    return inner.send(request, context.inRound(context.round()), exchange);
  }
}
