/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells whether an endpoint is there, as the requests of this process found it. A wrong endpoint
 * has never answered; one that has answered and serves nobody now is away, and comes back. Safe for
 * many threads.
 */
public final class Presence {
  /** A failure that is over sooner is told in the debug log only. */
  private static final Duration NEWS_AFTER = Duration.ofSeconds(5);

  private static final Duration NEWS_EVERY = Duration.ofMinutes(1);

  /** The time of the last success is noted this often: threads need not meet for each request. */
  private static final long NOTE_EVERY_NANOS = 1_000_000;

  private final String name;
  private final Crowd crowd = new Crowd();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean answered;
  private volatile long servedNanos = Long.MIN_VALUE;
  private volatile long outageSinceNanos = Long.MIN_VALUE;
  private long toldNanos;

  /**
   * @param name of the endpoint, for messages
   * @param answered whether somebody else has found that it answers
   */
  Presence(String name, boolean answered) {
    this.name = name;
    this.answered = answered;
  }

  /** The presence of an endpoint that nobody else in the process asks. */
  public static Presence alone() {
    return new Presence("the store", false);
  }

  /** An answer came, though maybe one that says the endpoint cannot serve now. */
  public void answered() {
    if (!answered) {
      answered = true;
    }
  }

  /**
   * A request was served; a refusal that every store would give serves it too.
   *
   * @param sentNanos when it was sent
   * @return a line for the log when that ends an outage which was told
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
    return Optional.of("%s serves again after %d s".formatted(name, seconds(nowNanos - since)));
  }

  /** Returns those that wait because the endpoint could not serve them. */
  public Crowd crowd() {
    return crowd;
  }

  /** Returns true if the endpoint has ever answered; if not, its name or port may be wrong. */
  public boolean hasAnswered() {
    return answered;
  }

  /** Returns true if any request of this process was served after that time. */
  public boolean hasServedSince(long nanos) {
    return servedNanos != Long.MIN_VALUE && servedNanos >= nanos;
  }

  /**
   * A request begins to wait until the endpoint serves it.
   *
   * @param sinceNanos when its first attempt failed
   * @param problem what the last attempt failed with
   * @return a line for the log, one a minute for all requests together
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
      outageSinceNanos = isNew ? sinceNanos : outageSinceNanos;
      toldNanos = nowNanos;
      return Optional.of(
          "%s has served no request for %d s; %d wait for it. The last failure: %s"
              .formatted(name, seconds(nowNanos - outageSinceNanos), requests, problem));
    }
  }

  /** A request that waited tries again, or gives up. */
  public void goesOn() {
    waiting.decrementAndGet();
  }

  private static long seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds();
  }
}
