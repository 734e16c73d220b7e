/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.request.Repeat;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a failed attempt is repeated, and after which wait.
 *
 * <ul>
 *   <li>After a failure the wait has decorrelated jitter: it is random, from the shortest delay to
 *       three times the previous wait. After the first lost connection of a request there is no
 *       wait, because most often the pool gave the request a connection that the store had already
 *       closed.
 *   <li>After a throttled attempt the wait grows exponentially from 0.5 s, and half of it is
 *       random. In this way a crowd of clients slows down and spreads out.
 *   <li>After a throttled attempt under rate control the wait is short, because the wait for a
 *       permit provides the delay. Such an attempt may be repeated often, because a busy bucket is
 *       a healthy one.
 * </ul>
 *
 * The three kinds are counted separately: a request that was throttled thirty times and then lost
 * its connection has failed once. Some attempts are not counted at all. One kind gets no answer or
 * a server error while the endpoint serves no other request: the store has an outage, and the
 * request waits until its time is over. Another kind is throttled while the store rejects a random
 * share of all requests.
 *
 * <p>Source of both waits: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog,
 * 2015 (there: decorrelated jitter, and equal jitter).
 */
public final class RetryDecider {
  /**
   * A wrong endpoint always fails, so its user must not wait for minutes. An endpoint that has
   * answered before is the right one and only unreachable for now, so this limit does not apply to
   * it.
   */
  private static final int UNREACHABLE_ATTEMPTS_MAX = 4;

  /** The first wait of the backoff policy, as listed in docs/rate-control.md. */
  private static final Duration BACKOFF_FIRST = Duration.ofMillis(500);

  private static final int BACKOFF_ATTEMPTS_MAX = 16;

  /**
   * The first wait under rate control. The permit provides the delay; this wait only spreads
   * requests that failed at the same time.
   */
  private static final Duration PACED_FIRST = Duration.ofMillis(50);

  private static final Duration PACED_LONGEST = Duration.ofSeconds(2);

  private final RetryConfig config;

  public RetryDecider(RetryConfig config) {
    this.config = config;
  }

  /**
   * Counts the failed attempts of a request by the way they are treated.
   *
   * @param uncounted attempts that do not count against another attempt: those that failed while
   *     the endpoint served no request, those throttled while the store rejects a random share of
   *     all requests, and those made long before their planned time
   */
  public record Failures(int failed, int throttled, int throttledPaced, int uncounted) {
    public static final Failures NONE = new Failures(0, 0, 0, 0);

    /** Creates counts without uncounted attempts. */
    public Failures(int failed, int throttled, int throttledPaced) {
      this(failed, throttled, throttledPaced, 0);
    }

    /**
     * Returns these counts with one more failed attempt.
     *
     * @param repeat the answer of rate control for the attempt if it was throttled
     */
    public Failures plus(Kind kind, Repeat repeat) {
      if (kind != Kind.THROTTLED) {
        return new Failures(failed + 1, throttled, throttledPaced, uncounted);
      }
      return switch (repeat) {
        case BACK_OFF -> new Failures(failed, throttled + 1, throttledPaced, uncounted);
        case SHORTLY -> new Failures(failed, throttled, throttledPaced + 1, uncounted);
        case AT_ONCE -> plusUncounted();
      };
    }

    /** Returns these counts with one more uncounted attempt. */
    public Failures plusUncounted() {
      return new Failures(failed, throttled, throttledPaced, uncounted + 1);
    }

    public int total() {
      return failed + throttled + throttledPaced + uncounted;
    }

    boolean anyThrottled() {
      return throttled + throttledPaced > 0;
    }
  }

  /**
   * The facts about a request when one of its attempts has failed.
   *
   * @param known whether the endpoint has ever answered
   * @param repeat the answer of rate control for the request if it was throttled
   * @param failures the failed attempts of the request, including this one
   * @param elapsed time since the first attempt of the request started
   * @param previousDelay the last wait after a failure other than throttling; zero if there was
   *     none
   * @param retryAfter the time that the store asks clients to wait, if it gave one
   * @param chance a random number in [0, 1)
   */
  public record Facts(
      Kind kind,
      boolean known,
      Repeat repeat,
      Failures failures,
      Duration elapsed,
      Duration previousDelay,
      Optional<Duration> retryAfter,
      double chance) {
    /** Returns true if the next attempt will wait for a permit anyway. */
    boolean paced() {
      return repeat != Repeat.BACK_OFF;
    }
  }

  /**
   * The decision about a failed attempt.
   *
   * @param delay the wait before the next attempt; empty when there is no next attempt
   * @param limit the limit that ended the request, for the user; empty when repeating makes no
   *     sense at all
   */
  public record Decision(Optional<Duration> delay, String limit) {
    static Decision after(Duration delay) {
      return new Decision(Optional.of(delay), "");
    }

    static Decision enough(String limit) {
      return new Decision(Optional.empty(), limit);
    }
  }

  /** Decides about an attempt that has just failed. The same facts give the same decision. */
  public Decision next(Facts facts) {
    if (facts.kind().retry() == Retry.NEVER) {
      return Decision.enough("");
    }
    Optional<String> attemptsUsedUp = attemptsUsedUp(facts);
    if (attemptsUsedUp.isPresent()) {
      return Decision.enough(attemptsUsedUp.get());
    }
    Duration delay = longer(delay(facts), facts.retryAfter().orElse(Duration.ZERO));
    Duration bounded = shorter(shorter(delay, longestWait()), left(facts));
    return isInTime(facts, bounded) ? Decision.after(bounded) : Decision.enough(durationMax(facts));
  }

  /**
   * Returns the longest wait that still leaves time for one more attempt. An unreachable store gets
   * its last attempt at the very end of the time. A throttled request is not limited here, because
   * the store has asked it to wait.
   */
  private Duration left(Facts facts) {
    Duration left = ceiling(facts).minus(facts.elapsed());
    boolean isOver = left.isNegative() || left.isZero();
    return isOver || facts.kind() == Kind.THROTTLED ? longestWait() : left;
  }

  /** Returns the longest wait that the store may ask for. */
  private Duration longestWait() {
    return longer(config.delayMax(), RetryConfig.DELAY_MAX);
  }

  private Optional<String> attemptsUsedUp(Facts facts) {
    Failures failures = facts.failures();
    if (facts.kind() != Kind.THROTTLED) {
      // A limit of one attempt means no retry, whatever the reason.
      if (failures.failed() >= config.attemptsMax() || config.attemptsMax() == 1) {
        return Optional.of("penstock.retry.attempts.max=" + config.attemptsMax());
      }
      return facts.kind() == Kind.UNREACHABLE
              && !facts.known()
              && failures.failed() >= UNREACHABLE_ATTEMPTS_MAX
          ? Optional.of("an endpoint that has never answered is tried 4 times")
          : Optional.empty();
    }
    // A limit of one attempt means no retry, even if the store rejects at random.
    if (failures.throttled() + failures.throttledPaced() >= config.throttledAttemptsMax()
        || config.throttledAttemptsMax() == 1) {
      return Optional.of(
          "the limit is %d throttled attempts per request"
              .formatted(config.throttledAttemptsMax()));
    }
    // Throttles under rate control do not count here: rate control may end during a request.
    return !facts.paced() && failures.throttled() >= BACKOFF_ATTEMPTS_MAX
        ? Optional.of("without rate control, the limit is 16 throttled attempts per request")
        : Optional.empty();
  }

  private Duration delay(Facts facts) {
    Failures failures = facts.failures();
    if (facts.kind() == Kind.THROTTLED) {
      return switch (facts.repeat()) {
        case BACK_OFF ->
            halfChance(BACKOFF_FIRST, failures.throttled(), longestWait(), facts.chance());
        case SHORTLY ->
            halfChance(PACED_FIRST, failures.throttledPaced(), PACED_LONGEST, facts.chance());
        case AT_ONCE -> halfChance(PACED_FIRST, 1, PACED_LONGEST, facts.chance());
      };
    }
    if (facts.kind() == Kind.CONNECTION_LOST && failures.failed() + failures.uncounted() == 1) {
      return Duration.ZERO;
    }
    Duration previous = longer(facts.previousDelay(), config.delayMin());
    double widthNanos = (double) previous.multipliedBy(3).minus(config.delayMin()).toNanos();
    Duration random = config.delayMin().plusNanos((long) (widthNanos * facts.chance()));
    return shorter(random, config.delayMax());
  }

  /**
   * Returns {@code first}, doubled for each further failure up to {@code longest}, with half of it
   * random.
   */
  private static Duration halfChance(Duration first, int count, Duration longest, double chance) {
    int doublings = Math.max(0, Math.min(count - 1, 20));
    long full = Math.min(first.toNanos() << doublings, longest.toNanos());
    return Duration.ofNanos(full / 2 + (long) (full / 2.0 * chance));
  }

  /**
   * Returns true if the next attempt starts before the time limit. The limit is longer for a
   * request that waited for permits, because that request has not been failing all that time.
   */
  private boolean isInTime(Facts facts, Duration delay) {
    return facts.elapsed().plus(delay).compareTo(ceiling(facts)) <= 0;
  }

  private Duration ceiling(Facts facts) {
    if (facts.kind() == Kind.THROTTLED) {
      return config.throttledDurationMax();
    }
    return facts.failures().anyThrottled() || facts.paced()
        ? longer(config.durationMax(), config.throttledDurationMax())
        : config.durationMax();
  }

  private String durationMax(Facts facts) {
    Duration ceiling = ceiling(facts);
    String name =
        ceiling.equals(config.durationMax()) ? config.durationName() : RetryConfig.LONG_NAME;
    return (name.equals(RetryConfig.LONG_NAME) ? "%s is %d s" : "%s=%d s")
        .formatted(name, ceiling.toSeconds());
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
