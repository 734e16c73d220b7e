/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.time.Duration;
import java.util.Optional;

/**
 * Says whether a failed attempt is worth another one, and after which wait.
 *
 * <ul>
 *   <li>A failure waits with decorrelated jitter: anything from the shortest delay to three times
 *       the wait before. The first lost connection of a request does not wait: most often the pool
 *       gave it a connection that the store had closed.
 *   <li>A throttled attempt backs off exponentially from 0.5 s, half of it chance, so that a crowd
 *       of clients slows down and spreads out.
 *   <li>A throttled attempt whose rate is paced waits for little: the pacer carries the delay. It
 *       may be repeated often, because a busy bucket is a healthy one.
 * </ul>
 *
 * The three are counted apart: whoever was throttled thirty times and then met a broken connection
 * has failed once. Attempts that get no answer while the endpoint serves nobody else are not
 * counted at all: the store is away, and the request waits for it until its time is over. Nor are
 * those that are throttled while the store rejects a share of whatever it is sent.
 */
public final class RetryDecider {
  /**
   * A wrong endpoint fails at once and for ever: its user must not be kept waiting for minutes. One
   * that has answered before is right, and only away.
   */
  private static final int UNREACHABLE_ATTEMPTS_MAX = 4;

  /** The base of the policy named backoff, as its row in docs/rate-control.md has it. */
  private static final Duration BACKOFF_FIRST = Duration.ofMillis(500);

  private static final int BACKOFF_ATTEMPTS_MAX = 16;

  /** The permit carries the delay already; this only spreads those who failed at once. */
  private static final Duration PACED_FIRST = Duration.ofMillis(50);

  private static final Duration PACED_LONGEST = Duration.ofSeconds(2);

  private final RetryConfig config;

  public RetryDecider(RetryConfig config) {
    this.config = config;
  }

  /**
   * Attempts of a request that have ended badly so far, by how they are dealt with.
   *
   * @param uncounted those that say nothing against another attempt: without an answer while the
   *     endpoint served nobody, throttled while the store rejects whatever it is sent, or made long
   *     before their time
   */
  public record Failures(int failed, int throttled, int throttledPaced, int uncounted) {
    public static final Failures NONE = new Failures(0, 0, 0, 0);

    /** Creates counts of an endpoint that serves others. */
    public Failures(int failed, int throttled, int throttledPaced) {
      this(failed, throttled, throttledPaced, 0);
    }

    /**
     * Returns these and one more.
     *
     * @param repeat what rate control says of it if it was throttled
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

    /** Returns these and one more that does not count. */
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
   * The facts when an attempt has failed.
   *
   * @param known whether the endpoint has ever answered
   * @param repeat what rate control says of the request if it was throttled
   * @param failures of the request, this one among them
   * @param elapsed since its first attempt started
   * @param previousDelay the last wait after a failure that was not a throttle; zero if none
   * @param retryAfter how long the store wants to be left alone, if it said
   * @param chance from [0, 1)
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
   * @param delay before the next attempt; empty when there is to be none
   * @param limit for the user: what ended it; empty when repeating makes no sense at all
   */
  public record Decision(Optional<Duration> delay, String limit) {
    static Decision after(Duration delay) {
      return new Decision(Optional.of(delay), "");
    }

    static Decision enough(String limit) {
      return new Decision(Optional.empty(), limit);
    }
  }

  public Decision next(Facts facts) {
    if (facts.kind().retry() == Retry.NEVER) {
      return Decision.enough("");
    }
    Optional<String> attemptsUsedUp = attemptsUsedUp(facts);
    if (attemptsUsedUp.isPresent()) {
      return Decision.enough(attemptsUsedUp.get());
    }
    Duration delay = longer(delay(facts), facts.retryAfter().orElse(Duration.ZERO));
    Duration bounded = shorter(shorter(delay, config.delayMax()), left(facts));
    return isInTime(facts, bounded) ? Decision.after(bounded) : Decision.enough(durationMax(facts));
  }

  /**
   * The longest wait that still brings one more attempt: a store that is away is asked once more at
   * the very end. Whoever was throttled has been asked to stay away.
   */
  private Duration left(Facts facts) {
    Duration left = ceiling(facts).minus(facts.elapsed());
    boolean isOver = left.isNegative() || left.isZero();
    return isOver || facts.kind() == Kind.THROTTLED ? config.delayMax() : left;
  }

  private Optional<String> attemptsUsedUp(Facts facts) {
    Failures failures = facts.failures();
    if (facts.kind() != Kind.THROTTLED) {
      // Whoever allows one attempt wants no other, whatever the reason.
      if (failures.failed() >= config.attemptsMax() || config.attemptsMax() == 1) {
        return Optional.of("retry.attempts.max=" + config.attemptsMax());
      }
      return facts.kind() == Kind.UNREACHABLE
              && !facts.known()
              && failures.failed() >= UNREACHABLE_ATTEMPTS_MAX
          ? Optional.of("an endpoint that has never answered is tried 4 times")
          : Optional.empty();
    }
    // Whoever allows one attempt wants no other, also of a store that rejects by chance.
    if (failures.throttled() + failures.throttledPaced() >= config.throttledAttemptsMax()
        || config.throttledAttemptsMax() == 1) {
      return Optional.of("retry.throttled.attempts.max=" + config.throttledAttemptsMax());
    }
    // Those met while it was paced do not count here: pacing may end in the middle of a request.
    return !facts.paced() && failures.throttled() >= BACKOFF_ATTEMPTS_MAX
        ? Optional.of("without rate control a request is throttled 16 times at most")
        : Optional.empty();
  }

  private Duration delay(Facts facts) {
    Failures failures = facts.failures();
    if (facts.kind() == Kind.THROTTLED) {
      return switch (facts.repeat()) {
        case BACK_OFF ->
            halfChance(BACKOFF_FIRST, failures.throttled(), config.delayMax(), facts.chance());
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
    return config.delayMin().plusNanos((long) (widthNanos * facts.chance()));
  }

  /** {@code first} doubled with each further one, up to {@code longest}, and half of it chance. */
  private static Duration halfChance(Duration first, int count, Duration longest, double chance) {
    int doublings = Math.max(0, Math.min(count - 1, 20));
    long full = Math.min(first.toNanos() << doublings, longest.toNanos());
    return Duration.ofNanos(full / 2 + (long) (full / 2.0 * chance));
  }

  /** A request that waits for permits has not been failing all that time. */
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
    return "%s=%d s"
        .formatted(
            ceiling.equals(config.durationMax())
                ? config.durationName()
                : "retry.throttled.duration.max",
            ceiling.toSeconds());
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
