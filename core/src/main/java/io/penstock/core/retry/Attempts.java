/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.caller.RetryBudget;
import io.penstock.core.caller.Wait;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.Request;
import io.penstock.core.request.ThrottleAdvice;
import io.penstock.core.request.WaitingGroup;
import io.penstock.core.retry.RetryDecider.Decision;
import io.penstock.core.retry.RetryDecider.Facts;
import io.penstock.core.retry.RetryDecider.Failures;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the attempts of one request and waits between them. The {@link RetryDecider} chooses the
 * waits.
 */
final class Attempts<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  /** Failures with which a working store refuses a request. */
  private static final Set<Kind> SERVED =
      Set.of(
          Kind.NO_SUCH_KEY,
          Kind.NO_SUCH_UPLOAD,
          Kind.PRECONDITION_FAILED,
          Kind.CONFLICT,
          Kind.RANGE_NOT_SATISFIABLE,
          Kind.PARENT_IS_OBJECT,
          Kind.ACCESS_DENIED);

  /** Failures that may occur without an answer from the endpoint. */
  private static final Set<Kind> WITHOUT_ANSWER =
      Set.of(Kind.UNREACHABLE, Kind.CONNECTION_LOST, Kind.BAD_CREDENTIALS, Kind.INVALID_REQUEST);

  private final Means means;
  private final Operation operation;
  private final Context context;
  private final long startNanos;
  private int rounds;
  private Failures failures = Failures.NONE;
  private Duration previousDelay = Duration.ZERO;
  private boolean anAnswerWasLost;
  private boolean wasThrottled;
  private long firstFailureNanos;
  private long lastFailureNanos;
  private long sentNanos;
  private boolean isAway;
  private ThrottleAdvice advice = ThrottleAdvice.NONE;
  private Optional<WaitingGroup> calledBy = Optional.empty();

  /** The objects that all requests of a store share. */
  record Means(
      RetryConfig config,
      RetryDecider decider,
      EndpointHealth presence,
      ServingCheck servingCheck,
      Time time,
      DoubleSupplier chance,
      List<StoreMetrics> metrics) {
    /** Records that a request was served that was sent at this time. */
    void served(long sentNanos) {
      presence.served(sentNanos, time.nowNanos()).ifPresent(LOG::info);
    }
  }

  /**
   * @param context of the first attempt
   * @param startNanos when the first attempt was sent, or is sent now
   */
  Attempts(Means means, Request<T> request, Context context, long startNanos) {
    this.means = means;
    this.operation = request.operation();
    this.context = context;
    this.startNanos = startNanos;
    this.sentNanos = startNanos;
    this.lastFailureNanos = startNanos;
  }

  /** Returns true if the store may have acted on an attempt that failed. */
  boolean anAnswerWasLost() {
    return anAnswerWasLost || wasThrottled;
  }

  /**
   * Returns true if the store may have acted on a failed attempt that was not throttled. A 503 is
   * taken as sent by the store itself, which has then done nothing. This method is for requests
   * that are too many to check the object after each throttled attempt.
   */
  boolean anAnswerWasLostOnTheWay() {
    return anAnswerWasLost;
  }

  /** Waits after the first attempt, which was made before there was this object. */
  void waitAfterFirst(StoreException failure) throws IOException {
    rounds = 1;
    advice = context.attempt().advice();
    waitAfter(failure);
  }

  /** Sends the request through the layer until it succeeds, or is given up. */
  T run(Layer layer, Request<T> request, Exchange<T> exchange) throws IOException {
    T answer = runUnseen(layer, request, exchange);
    means.served(sentNanos);
    return answer;
  }

  /**
   * Does the same as {@link #run} for work that may succeed without a request. Its success is
   * therefore not recorded as an answer of the endpoint.
   */
  T runUnseen(Layer layer, Request<T> request, Exchange<T> exchange) throws IOException {
    while (true) {
      sentNanos = means.time.nowNanos();
      Context own = rounds == 0 ? context : context.inRound(rounds);
      rounds++;
      try {
        T answer = layer.send(request, own, exchange);
        advice = own.attempt().advice();
        calledBy = Optional.empty(); // The crowd's call was right; a later failure is a new one.
        return answer;
      } catch (StoreException e) {
        advice = own.attempt().advice();
        waitAfter(e);
      }
    }
  }

  private void waitAfter(StoreException failure) throws IOException {
    anAnswerWasLost |= failure.kind().retry() == Retry.IF_IDEMPOTENT;
    // A proxy may have sent the 503 and lost the store's answer. Checking the object costs one
    // HEAD.
    wasThrottled |= failure.kind() == Kind.THROTTLED;
    failures = counted(failure, advice.repeat());
    Decision decision = decide(failure, advice.repeat(), means.chance.getAsDouble());
    if (decision.delay().isEmpty()) {
      throw end(failure, decision);
    }
    wait(decision.delay().get(), failure, crowd(failure));
  }

  /** Records the failure and the information that it gives about the endpoint. */
  private Failures counted(StoreException failure, Repeat repeat) throws InterruptedIOException {
    long now = means.time.nowNanos();
    long before = lastFailureNanos;
    lastFailureNanos = now;
    firstFailureNanos = failures.total() == 0 ? now : firstFailureNanos;
    if (SERVED.contains(failure.kind())) {
      means.served(sentNanos);
    } else if (!WITHOUT_ANSWER.contains(failure.kind())) {
      means.presence.answered();
    }
    if (failure.kind() != Kind.THROTTLED && failure.kind().retry() != Retry.NEVER) {
      means.presence.crowd().failed(now);
    }
    boolean mayBeAway =
        failure.kind() == Kind.UNREACHABLE || failure.kind() == Kind.CONNECTION_LOST;
    isAway = mayBeAway && means.presence.hasAnswered() && !means.presence.hasServedSince(before);
    boolean isEarly = calledBy.isPresent();
    calledBy.ifPresent(WaitingGroup::calledInVain);
    calledBy = Optional.empty();
    return isAway || isEarly || isOneOfAll(failure)
        ? failures.plusUncounted()
        : failures.plus(failure.kind(), repeat);
  }

  /**
   * Returns true if the store answers with a server error because it serves no request at all. A
   * single error is frequent and costs no further request, so the first failure is not examined.
   */
  private boolean isOneOfAll(StoreException failure) throws InterruptedIOException {
    return failure.kind() == Kind.SERVER_ERROR
        && failures.total() > 0
        && means.servingCheck.servesNobody(operation, context.inRound(0));
  }

  /**
   * Returns the requests that wait for the same reason. Returns empty when the request must wait
   * for its full delay.
   */
  private Optional<WaitingGroup> crowd(StoreException failure) {
    if (failure.retryAfter().isPresent()) {
      return Optional.empty();
    }
    if (failure.kind() != Kind.THROTTLED) {
      return Optional.of(means.presence.crowd());
    }
    return advice.repeat() == Repeat.BACK_OFF ? advice.crowd() : Optional.empty();
  }

  /**
   * Waits after an answer that reports failures of some keys, and returns the keys that are worth
   * another attempt.
   *
   * @param ended receives the failures of the other keys
   */
  List<String> waitAfter(
      List<String> asked, Map<String, StoreException> failed, Map<String, StoreException> ended)
      throws IOException {
    if (failed.isEmpty()) {
      return List.of();
    }
    Repeat repeat = advice.repeat();
    // The answer counts as at most one throttled and one other failure, however many keys failed.
    failed.values().stream()
        .map(StoreException::kind)
        .map(kind -> kind == Kind.THROTTLED ? kind : Kind.SERVER_ERROR)
        .distinct()
        .forEach(kind -> failures = failures.plus(kind, repeat));
    double draw = means.chance.getAsDouble();
    Set<String> known = new HashSet<>(asked);
    Set<String> again = new HashSet<>();
    StoreException last = null;
    Duration longest = Duration.ZERO;
    for (Map.Entry<String, StoreException> entry : failed.entrySet()) {
      StoreException failure = entry.getValue();
      Decision decision = decide(failure, repeat, draw);
      // A store may name a key that was not in the request; repeating such a key makes no sense.
      if (decision.delay().isEmpty() || !known.contains(entry.getKey())) {
        ended.put(entry.getKey(), end(failure, decision));
        continue;
      }
      again.add(entry.getKey());
      if (last == null || longest.compareTo(decision.delay().get()) < 0) {
        longest = decision.delay().get();
        last = failure;
      }
    }
    if (last != null) {
      wait(longest, last, crowd(last));
    }
    return asked.stream().filter(again::contains).toList();
  }

  private Decision decide(StoreException failure, Repeat repeat, double chance) {
    Decision decision =
        means.decider.next(
            new Facts(
                failure.kind(),
                means.presence.hasAnswered(),
                repeat,
                failures,
                elapsed(),
                previousDelay,
                failure.retryAfter(),
                chance));
    Optional<RetryBudget> budget = context.caller().budget();
    if (decision.delay().isEmpty() || budget.isEmpty()) {
      return decision;
    }
    Duration taskMax = means.config.taskDurationMax();
    Duration spent = budget.get().spent(means.time.nowNanos()).plus(decision.delay().get());
    return spent.compareTo(taskMax) <= 0
        ? decision
        : Decision.enough(
            "all retries of the task have waited for %d s in all; the limit is %d s"
                .formatted(spent.toSeconds(), taskMax.toSeconds()));
  }

  private Duration elapsed() {
    return Duration.ofNanos(means.time.nowNanos() - startNanos);
  }

  private void wait(Duration delay, StoreException failure, Optional<WaitingGroup> crowd)
      throws IOException {
    LOG.debug(
        "{} attempts failed; the next one starts in {}: {}",
        failures.total(),
        delay,
        failure.getMessage());
    boolean throttled = failure.kind() == Kind.THROTTLED;
    previousDelay = throttled ? previousDelay : delay;
    Optional<RetryBudget> budget = context.caller().budget();
    long start = means.time.nowNanos();
    budget.ifPresent(spending -> spending.waits(start));
    if (!throttled) {
      means.presence.waits(start, firstFailureNanos, failure.getMessage()).ifPresent(LOG::warn);
    }
    try {
      context.caller().waits(Wait.FOR_RETRY, () -> nap(delay, crowd));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting to retry");
      interrupted.initCause(failure);
      throw interrupted;
    } finally {
      long end = means.time.nowNanos();
      if (!throttled) {
        means.presence.goesOn();
      }
      budget.ifPresent(spending -> spending.goesOn(end));
      means.metrics.forEach(metric -> metric.retried(operation, throttled, end - start));
    }
  }

  private void nap(Duration delay, Optional<WaitingGroup> crowd)
      throws InterruptedException, InterruptedIOException {
    if (crowd.isEmpty() || delay.toNanos() <= WaitingGroup.SHORT_NANOS) {
      context.caller().sleep(means.time, delay, () -> false);
      return;
    }
    crowd.get().enter();
    try {
      context.caller().sleep(means.time, delay, () -> isCalledBy(crowd.get()));
    } finally {
      crowd.get().leave();
    }
  }

  private boolean isCalledBy(WaitingGroup crowd) {
    if (crowd.calls()) {
      calledBy = Optional.of(crowd);
      return true;
    }
    return isAway && crowd.sendsScout(means.time.nowNanos());
  }

  private StoreException end(StoreException failure, Decision decision) {
    if (failure.kind().retry() == Retry.NEVER) {
      return failure;
    }
    int throttled = failures.throttled() + failures.throttledPaced();
    return failure.because(
        "Gave up after %d attempts%s in %.1f s (%s)."
            .formatted(
                failures.total(),
                throttled == 0 ? "" : ", %d of them throttled,".formatted(throttled),
                elapsed().toMillis() / 1000.0,
                decision.limit()));
  }
}
