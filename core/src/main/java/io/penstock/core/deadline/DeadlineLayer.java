/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.caller.Caller;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.Set;

/**
 * Gives each attempt a deadline, cuts attempts whose content stops moving, and learns how long
 * attempts take. An attempt that was cut fails with {@code CONNECTION_LOST} and the reason.
 */
public final class DeadlineLayer implements Layer {
  /** Failures that are answers of the store and take as long as any other answer. */
  private static final Set<Kind> ANSWERS =
      Set.of(
          Kind.NO_SUCH_KEY,
          Kind.NO_SUCH_UPLOAD,
          Kind.PRECONDITION_FAILED,
          Kind.RANGE_NOT_SATISFIABLE);

  private final Layer inner;
  private final DeadlineDecider decider;
  private final LatencyModel model;
  private final Watchdog watch;
  private final HedgeMetrics metrics;

  public DeadlineLayer(
      Layer inner,
      DeadlineDecider decider,
      LatencyModel model,
      Watchdog watch,
      HedgeMetrics metrics) {
    this.inner = inner;
    this.decider = decider;
    this.model = model;
    this.watch = watch;
    this.metrics = metrics;
  }

  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    Attempt attempt = context.attempt();
    attempt.begins();
    Caller.Registration calledOff = context.caller().onCancel(attempt);
    try {
      if (attempt.cutBecause().isPresent()) {
        throw lost(request, attempt.cutBecause().get(), null);
      }
      return timed(request, context, exchange);
    } finally {
      calledOff.end();
    }
  }

  private <T> T timed(Request<T> request, Context context, Exchange<T> exchange)
      throws IOException {
    Attempt attempt = context.attempt();
    AttemptTimer timer = new AttemptTimer(request, attempt, watch.nowNanos(), decider, metrics);
    decider.began(request.operation(), request.weightBytes());
    watch.add(timer);
    try {
      T answer = inner.send(request, context, exchange);
      answered(request, timer);
      return answer;
    } catch (IOException e) {
      throw failed(request, attempt, timer, e);
    } finally {
      watch.remove(timer);
      decider.ended(request.operation(), request.weightBytes());
    }
  }

  private void answered(Request<?> request, AttemptTimer timer) {
    long nowNanos = watch.nowNanos();
    model.took(request.operation(), request.weightBytes(), timer.ageNanos(nowNanos), nowNanos);
    decider.answered(request.operation(), request.weightBytes());
  }

  /** Learns from the failure and returns the exception to throw. */
  private IOException failed(
      Request<?> request, Attempt attempt, AttemptTimer timer, IOException failure) {
    Optional<StoreException> known =
        failure instanceof StoreException own ? Optional.of(own) : Optional.empty();
    if (known.filter(own -> ANSWERS.contains(own.kind())).isPresent()) {
      answered(request, timer);
      return failure;
    }
    if (failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      return failure;
    }
    boolean cut = attempt.cutBecause().isPresent();
    long nowNanos = watch.nowNanos();
    if (cut || known.filter(own -> own.kind() == Kind.CONNECTION_LOST).isPresent()) {
      long age = timer.ageNanos(nowNanos);
      model.tookAtLeast(request.operation(), request.weightBytes(), age, nowNanos);
    }
    if (timer.isCutAtDeadline()) {
      decider.cut(request.operation(), request.weightBytes(), timer.startNanos(), nowNanos);
    }
    return timer.why() == null ? failure : lost(request, why(request, timer, nowNanos), failure);
  }

  private String why(Request<?> request, AttemptTimer timer, long nowNanos) {
    Optional<String> setting =
        timer.isCutAtDeadline()
            ? decider.cutBy(request.operation(), request.weightBytes(), timer.ageNanos(nowNanos))
            : Optional.empty();
    return timer.why() + setting.map(name -> ", set by " + name).orElse("");
  }

  private StoreException lost(Request<?> request, String why, IOException cause) {
    return new StoreException(
        Kind.CONNECTION_LOST,
        request.operation(),
        request.object(),
        why + ".",
        cause instanceof StoreException known ? known.requestId().orElse(null) : null,
        cause);
  }
}
