/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.caller.Callers;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ObserveLayer;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.request.ThrottleAdvice;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryLayer;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Stores behind one layer, or a few, for the tests of that layer. */
public final class LayeredStores {
  private LayeredStores() {}

  /** Returns a store whose requests pass only this chain, which ends at a {@link ThreadEnd}. */
  public static LayeredStore of(ObjectStore end, Layer chain) {
    return new LayeredStore(
        end,
        chain,
        Layer.END,
        LostCreations.NONE,
        SystemTime.INSTANCE,
        new SplittableRandom(System.identityHashCode(chain)),
        new Callers());
  }

  /** Returns a store that repeats its requests, and whose endpoint no other store has. */
  public static LayeredStore retrying(
      ObjectStore end, RetryConfig config, Time time, SplittableRandom chance) {
    return retrying(end, config, EndpointHealth.alone(), LostCreations.NONE, time, chance);
  }

  /** Returns a store that repeats its requests. */
  public static LayeredStore retrying(
      ObjectStore end,
      RetryConfig config,
      EndpointHealth presence,
      LostCreations lost,
      Time time,
      SplittableRandom chance,
      StoreMetrics... metrics) {
    return retrying(end, new ThreadEnd(), config, presence, lost, time, chance, metrics);
  }

  /** Returns a store that repeats its requests, which pass another layer then. */
  public static LayeredStore retrying(
      ObjectStore end,
      Layer inner,
      RetryConfig config,
      EndpointHealth presence,
      LostCreations lost,
      Time time,
      SplittableRandom chance,
      StoreMetrics... metrics) {
    SplittableRandom ids = chance.split();
    RetryLayer layer =
        new RetryLayer(
            inner, config, presence, new StoreProbe(end, inner), time, chance, List.of(metrics));
    return new LayeredStore(end, layer, layer.ofUnseenWork(inner), lost, time, ids, new Callers());
  }

  /** Returns a layer after which the retries are given this advice for each failure. */
  public static Layer advising(Repeat repeat) {
    return new Layer() {
      @Override
      public <T> T send(Request<T> request, Context context, Exchange<T> exchange)
          throws IOException {
        try {
          return new ThreadEnd().send(request, context, exchange);
        } catch (IOException e) {
          context.attempt().advise(new ThrottleAdvice(repeat, Optional.empty()));
          throw e;
        }
      }
    };
  }

  /** Returns a store that repeats its requests, of which the observer sees each attempt. */
  public static LayeredStore retrying(
      ObjectStore end,
      RequestObserver observer,
      RetryConfig config,
      Time time,
      SplittableRandom chance) {
    Layer inner = new ObserveLayer(new ThreadEnd(), time, List.of(observer));
    return retrying(end, inner, config, EndpointHealth.alone(), LostCreations.NONE, time, chance);
  }

  /** Returns a store whose requests the observers see. */
  public static LayeredStore observed(ObjectStore end, Time time, RequestObserver... observers) {
    return of(end, new ObserveLayer(new ThreadEnd(), time, List.of(observers)));
  }
}
