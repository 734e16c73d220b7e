/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.InterruptedIOException;

/** Counts every attempt, and reports it as an event. */
public final class AttemptMeter implements RequestObserver, RequestObserver.End {
  private final Time time;
  private final StoreMetrics metrics;
  private final RequestEvents events;

  public AttemptMeter(Time time, StoreMetrics metrics, RequestEvents events) {
    this.time = time;
    this.metrics = metrics;
    this.events = events;
  }

  @Override
  public End begins(Request<?> request, Context context, long nowNanos) {
    return this;
  }

  @Override
  public void ended(Request<?> request, Context context, Ending ending) {
    Throwable failure = ending.failure().orElse(null);
    long received = failure == null ? context.attempt().receivedBytes() : 0;
    Attempted attempted =
        new Attempted(
            ending.nanos(),
            request.sentBytes(),
            received,
            end(failure, context.attempt().hasFoundNothing()),
            context.round() > 0 && !context.attempt().isBeside(),
            context.attempt().isBeside());
    Client client = Client.titled(context.attempt().client());
    metrics.attempted(client, request.operation(), attempted);
    metrics
        .accounts()
        .add(
            client,
            request.operation(),
            request.bucket(),
            request.key(),
            context.caller().origin(),
            attempted);
    events.tell(() -> event(request, context, ending.nanos(), received, failure));
  }

  private RequestEvent event(
      Request<?> request, Context context, long nanos, long received, Throwable failure) {
    Attempt attempt = context.attempt();
    return new RequestEvent(
        time.now().minusNanos(nanos),
        request.operation(),
        request.bucket(),
        request.key(),
        nanos,
        request.sentBytes(),
        received,
        outcome(failure),
        attempt.cutBecause().orElse(""),
        attempt.address(),
        attempt.isBeside(),
        failure instanceof StoreException known ? known.requestId().orElse("") : "",
        attempt.range(),
        attempt.part(),
        attempt.client(),
        context.caller().origin());
  }

  private static RequestSums.End end(Throwable failure, boolean hasFoundNothing) {
    if (failure == null) {
      return hasFoundNothing ? RequestSums.End.MISS : RequestSums.End.OK;
    }
    Kind kind = kindOf(failure);
    if (kind == Kind.THROTTLED) {
      return RequestSums.End.THROTTLED;
    }
    boolean isAnswer = kind == Kind.NO_SUCH_KEY || kind == Kind.PRECONDITION_FAILED;
    return isAnswer ? RequestSums.End.MISS : RequestSums.End.FAILED;
  }

  private static Kind kindOf(Throwable failure) {
    return failure instanceof StoreException known ? known.kind() : null;
  }

  private static String outcome(Throwable failure) {
    if (failure == null) {
      return "OK";
    }
    if (failure instanceof InterruptedIOException) {
      return "INTERRUPTED";
    }
    Kind kind = kindOf(failure);
    return kind == null ? "FAILED" : kind.name();
  }
}
