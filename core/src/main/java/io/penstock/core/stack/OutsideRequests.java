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
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requests to one bucket that another client sends. Each waits for its permit, as those do that
 * pass the {@link Chain}, and is counted. Nothing else can be done for a request that is not sent
 * here. The rates are those that stores of this process have for the bucket, if there are any.
 *
 * <p>Not every sender says how each request ended: the SDK does not for an asynchronous call that
 * is cancelled. So one that is open for a quarter of an hour counts as lost.
 */
public final class OutsideRequests {
  private static final Duration OPEN_MAX = Duration.ofMinutes(15);

  private final Time time;
  private final RateLayer paced;
  private final ObserveLayer observed;
  private final Set<Sending> open = ConcurrentHashMap.newKeySet();

  /**
   * Those of a process are {@link Engine#outside}.
   *
   * @param bucket that all requests are for
   * @param settings of rate control, if no store has others
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  OutsideRequests(Engine engine, String bucket, Settings settings) {
    this.time = engine.time();
    this.observed =
        new ObserveLayer(
            Layer.END, time, List.of(new AttemptMeter(time, engine.metrics(), engine.events())));
    this.paced =
        RateLayer.ofGuest(
            bucket,
            engine.rates(),
            RateConfig.from(settings),
            time,
            engine.metrics(),
            engine.events());
  }

  /**
   * Waits until an attempt may be sent, or so long. Then its sender sends it, and says how it
   * ended. Empty if the calling thread was interrupted, which its sender will notice.
   */
  public Optional<Sending> begin(Request<?> request, Context context, Duration waitMax) {
    Optional<Permit> permit;
    try {
      permit = Optional.of(paced.permit(request, context, waitMax));
    } catch (InterruptedIOException e) {
      return Optional.empty();
    } catch (IOException e) {
      permit = Optional.empty(); // It has waited long enough.
    }
    Sending sending = new Sending(request, permit, observed.begin(request, context));
    open.add(sending);
    return Optional.of(sending);
  }

  /** Ends what has been open for too long. */
  void endOld() {
    long now = time.nowNanos();
    for (Sending each : open) {
      if (now - each.begunNanos > OPEN_MAX.toNanos()) {
        each.lost("its sender has not told how it ended.");
      }
    }
  }

  /** An attempt under way. Only the first end counts. */
  public final class Sending {
    private final Request<?> request;
    private final Optional<Permit> permit;
    private final Observed attempt;
    private final long begunNanos = time.nowNanos();
    private final AtomicBoolean isOver = new AtomicBoolean();

    private Sending(Request<?> request, Optional<Permit> permit, Observed attempt) {
      this.request = request;
      this.permit = permit;
      this.attempt = attempt;
    }

    private boolean ends() {
      return open.remove(this) && isOver.compareAndSet(false, true);
    }

    /** The store has answered as it should. */
    public void answered() {
      if (ends()) {
        permit.ifPresent(Permit::answered);
        attempt.ended(Optional.empty());
      }
    }

    /** The store has refused. */
    public void failed(StoreException e) {
      if (ends()) {
        permit.ifPresent(given -> given.failed(e));
        attempt.ended(Optional.of(e));
      }
    }

    /** Nobody knows what the store did. */
    public void lost(String why) {
      failed(
          new StoreException(
              Kind.CONNECTION_LOST, request.operation(), request.object(), why, null, null));
    }
  }
}
