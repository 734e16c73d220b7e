/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import io.penstock.core.request.WaitingGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records whether an endpoint answers, as seen by the requests of this process. An endpoint that
 * never answered may be configured wrongly. One that has answered before, but serves no request
 * now, is unreachable only for a time. Safe for many threads. Reads no clock; times are nanoseconds
 * of one monotonic clock.
 */
public final class EndpointHealth {
  /** A failure that ends sooner appears only in the debug log. */
  private static final Duration NEWS_AFTER = Duration.ofSeconds(5);

  private static final Duration NEWS_EVERY = Duration.ofMinutes(1);

  /**
   * The time of the last success is written only this often, so that threads do not compete for
   * each request.
   */
  private static final long NOTE_EVERY_NANOS = 1_000_000;

  /** While the endpoint fails, it is asked this often whether it serves any request at all. */
  private static final long CHECK_EVERY_NANOS = 1_000_000_000;

  private final String name;
  private final WaitingGroup crowd = new WaitingGroup();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong checkedNanos = new AtomicLong(Long.MIN_VALUE);
  private final boolean isTrusted;
  private volatile boolean answered;
  private volatile long servedNanos = Long.MIN_VALUE;
  private volatile long refusedNanos = Long.MIN_VALUE;
  private volatile long outageSinceNanos = Long.MIN_VALUE;
  private long toldNanos;

  /**
   * @param name of the endpoint, for messages
   * @param answered whether another process has already had an answer from the endpoint
   */
  EndpointHealth(String name, boolean answered) {
    this.name = name;
    this.isTrusted = answered;
    this.answered = answered;
  }

  /** Returns the presence of an endpoint that no other part of the process uses. */
  public static EndpointHealth alone() {
    return new EndpointHealth("the store", false);
  }

  /** Records an answer, which may also be that the endpoint cannot serve requests now. */
  public void answered() {
    if (!answered) {
      answered = true;
    }
  }

  /**
   * Records that a request was served. A refusal that every store would give counts as served, too.
   *
   * @param sentNanos when it was sent
   * @return a line for the log if this ends an outage that was logged
   */
  public Optional<String> served(long sentNanos, long nowNanos) {
    answered();
    crowd.served(sentNanos, nowNanos);
    if (servedNanos == Long.MIN_VALUE || nowNanos - servedNanos > NOTE_EVERY_NANOS) {
      servedNanos = nowNanos;
    }
    return outageSinceNanos == Long.MIN_VALUE ? Optional.empty() : ended(nowNanos);
  }

  private synchronized Optional<String> ended(long nowNanos) {
    long since = outageSinceNanos;
    if (since == Long.MIN_VALUE) {
      return Optional.empty();
    }
    outageSinceNanos = Long.MIN_VALUE;
    return Optional.of(
        "%s serves requests again, after an outage of %d s"
            .formatted(name, seconds(nowNanos - since)));
  }

  /** Returns the group of requests that wait because the endpoint could not serve them. */
  public WaitingGroup crowd() {
    return crowd;
  }

  /**
   * Returns true if the endpoint has ever answered. If it has not, its name or port may be wrong.
   */
  public boolean hasAnswered() {
    return answered;
  }

  /** Returns true if any request of this process was served at or after that time. */
  public boolean hasServedSince(long nanos) {
    return servedNanos != Long.MIN_VALUE && servedNanos >= nanos;
  }

  /**
   * Returns true if the endpoint has ever served a request, of this process or of the one that
   * started it. An endpoint that has never served one may be configured wrongly.
   */
  public boolean hasEverServed() {
    return isTrusted || servedNanos != Long.MIN_VALUE;
  }

  /**
   * Returns true if the caller must find out now whether the endpoint serves any request. Of all
   * callers within a second, one gets true. It reports by {@link #served} or {@link #refused}.
   */
  public boolean beginsCheck(long nowNanos) {
    long last = checkedNanos.get();
    boolean isDue = last == Long.MIN_VALUE || nowNanos - last >= CHECK_EVERY_NANOS;
    return isDue && checkedNanos.compareAndSet(last, nowNanos);
  }

  /**
   * Records that a check was not served.
   *
   * @param sentNanos when it was sent: a request that was served after this time proves more
   */
  public void refused(long sentNanos) {
    refusedNanos = sentNanos;
  }

  /** Returns true if the last check was not served, and no request since it was sent. */
  public boolean hasRefusedTheLast() {
    return refusedNanos > servedNanos;
  }

  /**
   * Records that a request begins to wait until the endpoint serves it. Each call is followed by
   * one call of {@link #goesOn}.
   *
   * @param sinceNanos when its first attempt failed
   * @param problem the failure of its last attempt
   * @return a line for the log, at most one a minute for all requests together
   */
  public Optional<String> waits(long nowNanos, long sinceNanos, String problem) {
    int requests = waiting.incrementAndGet();
    if (nowNanos - sinceNanos < NEWS_AFTER.toNanos()
        || hasServedSince(nowNanos - NEWS_AFTER.toNanos())) {
      return Optional.empty();
    }
    synchronized (this) {
      boolean isNew = outageSinceNanos == Long.MIN_VALUE;
      if (!isNew && nowNanos - toldNanos < NEWS_EVERY.toNanos()) {
        return Optional.empty();
      }
      // Another request may have been served after the first failure of this one.
      outageSinceNanos = isNew ? Math.max(sinceNanos, servedNanos) : outageSinceNanos;
      toldNanos = nowNanos;
      return Optional.of(
          "%s has served no request for %d s; requests that wait for it: %d. The last failure: %s"
              .formatted(name, seconds(nowNanos - outageSinceNanos), requests, problem));
    }
  }

  /** Records that a waiting request tries again, or gives up. */
  public void goesOn() {
    waiting.decrementAndGet();
  }

  private static long seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds();
  }
}
