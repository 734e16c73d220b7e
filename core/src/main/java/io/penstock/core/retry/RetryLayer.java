/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Partial;
import io.penstock.core.request.Request;
import io.penstock.core.request.Resolution;
import io.penstock.core.store.StoreException;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Repeats failed attempts. Every request may be repeated. The requests differ in the effect of a
 * lost answer: if a conditional PUT or a Complete has succeeded and its answer is lost, the
 * repeated request fails. Its {@link Resolution} then checks the object before the failure is
 * reported.
 *
 * <p>Only a {@link StoreException} is repeated; every other exception is thrown at once. The
 * failure of the last attempt is thrown with a sentence that names the limit. An interrupt or a
 * cancellation during a wait throws an {@link java.io.InterruptedIOException} with that failure as
 * its cause, or without it if the work was cancelled. Limits are those of {@link RetryConfig} and
 * of the caller's {@link io.penstock.core.caller.RetryBudget}.
 */
public final class RetryLayer implements Layer {
  private final Layer inner;
  private final Attempts.Means means;

  /**
   * @param presence the state of the store's endpoint, which all buckets of the endpoint share
   * @param probe finds out whether the store serves other requests
   * @param chance a source of randomness for this layer alone
   * @param metrics receive each retry and its wait
   */
  public RetryLayer(
      Layer inner,
      RetryConfig config,
      EndpointHealth presence,
      Probe probe,
      Time time,
      SplittableRandom chance,
      List<StoreMetrics> metrics) {
    this.inner = inner;
    this.means =
        new Attempts.Means(
            config,
            new RetryDecider(config),
            presence,
            new ServingCheck(probe, presence, time),
            time,
            () -> {
              synchronized (chance) {
                return chance.nextDouble();
              }
            },
            metrics);
  }

  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    long sentNanos = means.time().nowNanos();
    if (request.resolution() instanceof Partial) {
      return repeated(new Attempts<>(means, request, context, sentNanos), request, null, exchange);
    }
    try { // Nearly every request succeeds at once, and needs no memory of its attempts.
      T answer = inner.send(request, context, exchange);
      means.served(sentNanos);
      return answer;
    } catch (StoreException e) {
      return repeated(new Attempts<>(means, request, context, sentNanos), request, e, exchange);
    }
  }

  private <T> T repeated(
      Attempts<T> attempts, Request<T> request, StoreException first, Exchange<T> exchange)
      throws IOException {
    try {
      return settled(attempts, request, first, exchange);
    } finally {
      if (attempts.anAnswerWasLostOnTheWay()) {
        request.resolution().endedWithLostAnswer();
      }
    }
  }

  /**
   * @param first the failure of the first attempt; null if none was made yet
   */
  private <T> T settled(
      Attempts<T> attempts, Request<T> request, StoreException first, Exchange<T> exchange)
      throws IOException {
    T answer;
    try {
      if (first != null) {
        attempts.waitAfterFirst(first);
      }
      answer = whole(attempts, request, attempts.run(inner, request, exchange), exchange);
    } catch (StoreException e) {
      if (attempts.anAnswerWasLost()) {
        return request.resolution().afterLostAnswer(e);
      }
      throw e;
    }
    if (attempts.anAnswerWasLost()) {
      request.resolution().confirm(answer);
    }
    return answer;
  }

  /** Repeats the request for the parts of it that failed, and returns the whole answer. */
  private <T> T whole(Attempts<T> attempts, Request<T> request, T first, Exchange<T> exchange)
      throws IOException {
    if (!(request.resolution() instanceof Partial<T> partial)) {
      return first;
    }
    Map<String, StoreException> failed = new LinkedHashMap<>();
    List<String> asked = request.keys();
    T answer = first;
    while (true) {
      List<String> rest = attempts.waitAfter(asked, partial.failures(answer), failed);
      if (rest.isEmpty()) {
        return partial.whole(failed);
      }
      asked = rest;
      answer = attempts.run(inner, partial.rest(rest), exchange);
    }
  }

  /**
   * Returns a layer that repeats work which may succeed without a request, and which makes several
   * requests otherwise. The work does not pass the layers after this one, and its success is not
   * recorded as an answer of the endpoint.
   *
   * @param other what the work passes
   */
  public Layer ofUnseenWork(Layer other) {
    return new Layer() {
      @Override
      public <T> T send(Request<T> request, Context context, Exchange<T> exchange)
          throws IOException {
        return new Attempts<>(means, request, context, means.time().nowNanos())
            .runUnseen(other, request, exchange);
      }
    };
  }
}
