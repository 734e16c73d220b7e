/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.config.Settings;
import io.penstock.core.metrics.AttemptMeter;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateLayer;
import io.penstock.core.rate.RateLayer.Permit;
import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ObserveLayer;
import io.penstock.core.request.ObserveLayer.Observed;
import io.penstock.core.request.Request;
import io.penstock.core.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Requests to one bucket that another client sends. Each waits for its permit, as those do that
 * pass the {@link Chain}, and is counted. Nothing else can be done for a request that is not sent
 * here.
 */
public final class OutsideRequests {
  private final RateLayer paced;
  private final ObserveLayer observed;

  /**
   * @param bucket that all requests are for
   * @param waitMax the longest wait for a permit; the request is sent then all the same
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  public OutsideRequests(Engine engine, String bucket, Settings settings, Duration waitMax) {
    this.observed =
        new ObserveLayer(
            Layer.END,
            engine.time(),
            List.of(new AttemptMeter(engine.time(), engine.metrics(), engine.events())));
    this.paced =
        new RateLayer(
            observed,
            bucket,
            engine.rates(),
            RateConfig.from(settings).waitingUpTo(waitMax),
            engine.time(),
            engine.metrics(),
            engine.events());
  }

  /** Waits until an attempt may be sent. Then its sender sends it, and says how it ended. */
  public Sending begin(Request<?> request, Context context) {
    Optional<Permit> permit = permit(request, context);
    return new Sending(permit, observed.begin(request, context));
  }

  private Optional<Permit> permit(Request<?> request, Context context) {
    try {
      return Optional.of(paced.permit(request, context));
    } catch (IOException e) {
      // It has waited long enough, or its thread was interrupted, which its sender will notice.
      return Optional.empty();
    }
  }

  /** An attempt under way. One of the methods is called, once. */
  public static final class Sending {
    private final Optional<Permit> permit;
    private final Observed observed;

    private Sending(Optional<Permit> permit, Observed observed) {
      this.permit = permit;
      this.observed = observed;
    }

    /** The store has answered as it should. */
    public void answered() {
      permit.ifPresent(Permit::answered);
      observed.ended(Optional.empty());
    }

    /** The store has refused, or nobody knows what it did. */
    public void failed(StoreException e) {
      permit.ifPresent(given -> given.failed(e));
      observed.ended(Optional.of(e));
    }
  }
}
