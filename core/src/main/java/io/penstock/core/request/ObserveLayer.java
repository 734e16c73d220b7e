/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.request.RequestObserver.End;
import io.penstock.core.request.RequestObserver.Ending;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows every attempt to the observers. It is the last layer before the end of the chain. */
public final class ObserveLayer implements Layer {
  private static final Logger LOG = LoggerFactory.getLogger(ObserveLayer.class);

  private final Layer inner;
  private final Time time;
  private final RequestObserver[] observers;

  /**
   * @param observers called in this order when an attempt begins, and in the reverse order when it
   *     ends
   */
  public ObserveLayer(Layer inner, Time time, List<RequestObserver> observers) {
    this.inner = inner;
    this.time = time;
    this.observers = observers.toArray(RequestObserver[]::new);
  }

  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    Observed observed = new Observed(request, context);
    Optional<Throwable> failure = Optional.empty();
    try {
      observed.begin();
      return inner.send(request, context, exchange);
    } catch (IOException | RuntimeException | Error e) {
      failure = Optional.of(e);
      throw e;
    } finally {
      observed.ended(failure);
    }
  }

  /** Begins to show an attempt that somebody else makes. */
  public Observed begin(Request<?> request, Context context) {
    Observed observed = new Observed(request, context);
    observed.begin();
    return observed;
  }

  /** An attempt that the observers have seen begin. */
  public final class Observed {
    private final Request<?> request;
    private final Context context;
    private final End[] ends = new End[observers.length];
    private final long startNanos = time.nowNanos();

    private Observed(Request<?> request, Context context) {
      this.request = request;
      this.context = context;
    }

    private void begin() {
      for (int i = 0; i < ends.length; i++) {
        ends[i] = observers[i].begins(request, context, startNanos);
      }
    }

    /**
     * Shows the end.
     *
     * @param failure empty if the attempt was answered as it should be
     */
    public void ended(Optional<Throwable> failure) {
      Ending ending = new Ending(startNanos, time.nowNanos(), failure);
      for (int i = ends.length - 1; i >= 0; i--) {
        if (ends[i] != null) {
          end(ends[i], request, context, ending);
        }
      }
    }
  }

  /** Ends what an observer has begun. What fails there must not keep others from their end. */
  private static void end(End end, Request<?> request, Context context, Ending ending) {
    try {
      end.ended(request, context, ending);
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "{} {}: this request is missing from some metrics",
          request.operation(),
          request.object(),
          e);
    }
  }
}
