/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Remembers the PUTs and DELETEs that may still take effect: those under way, and those that ended
 * without an answer a short time ago. Such a PUT may write an object again that was deleted in
 * between, and such a DELETE may delete what was written in between. Safe for use by many threads.
 */
public final class UnansweredWrites implements RequestObserver, RequestObserver.End {
  /**
   * The time after which a PUT or DELETE without an answer takes no effect any more. This is a
   * judgement: S3 answers 99.99 % of its PUTs in less, and it closes connections on which nothing
   * moves for 20 s.
   */
  public static final Duration SETTLING = Duration.ofSeconds(10);

  /**
   * The same for a DELETE. It is longer, since a commit waits so only for the DELETE of a {@code
   * _SUCCESS}, on stores that do not honour its condition, and nothing else protects the next one.
   */
  public static final Duration DELETE_SETTLING = SETTLING.multipliedBy(2);

  private static final Duration POLL = Duration.ofSeconds(1);

  /** Failures that do not say whether the store acts on the request. */
  private static final Set<Kind> NO_ANSWER =
      Set.of(Kind.CONNECTION_LOST, Kind.SERVER_ERROR, Kind.NOT_S3);

  private final Time time;
  private final Map<ObjectKey, Open> open = new HashMap<>();

  public UnansweredWrites(Time time) {
    this.time = time;
  }

  /** The requests of one key that may still take effect. */
  private static final class Open {
    private int underWay;
    private boolean isUnanswered;

    /** The time after which none can take effect any more. */
    private long settledNanos;

    boolean isOver(long nowNanos) {
      return underWay == 0 && (!isUnanswered || nowNanos >= settledNanos);
    }
  }

  @Override
  public End begins(Request<?> request, Context context, long nowNanos) {
    if (request.operation() != Operation.PUT && request.operation() != Operation.DELETE) {
      return End.IGNORED;
    }
    begin(new ObjectKey(request.bucket(), request.key()));
    return this;
  }

  @Override
  public void ended(Request<?> request, Context context, Ending ending) {
    boolean isAnswered = ending.failure().filter(UnansweredWrites::isNoAnswer).isEmpty();
    end(new ObjectKey(request.bucket(), request.key()), request.operation(), isAnswered);
  }

  private static boolean isNoAnswer(Throwable failure) {
    return !(failure instanceof StoreException known) || NO_ANSWER.contains(known.kind());
  }

  /**
   * Waits until no PUT or DELETE of the matching keys may take effect any more.
   *
   * @param max the longest wait, for requests that are under way
   */
  public void awaitNone(Predicate<ObjectKey> condition, Duration max)
      throws InterruptedIOException {
    long startNanos = time.nowNanos();
    try {
      while (!matching(condition).isEmpty() && time.nowNanos() - startNanos < max.toNanos()) {
        time.sleep(POLL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for requests of a commit to end");
    }
  }

  private synchronized void begin(ObjectKey key) {
    open.computeIfAbsent(key, own -> new Open()).underWay++;
  }

  private synchronized void end(ObjectKey key, Operation operation, boolean isAnswered) {
    Open own = open.get(key);
    own.underWay--;
    if (!isAnswered) {
      own.isUnanswered = true;
      Duration settling = operation == Operation.DELETE ? DELETE_SETTLING : SETTLING;
      long endNanos = time.nowNanos() + settling.toNanos();
      own.settledNanos = Math.max(own.settledNanos, endNanos);
      forgetOver();
    } else if (!own.isUnanswered && own.underWay == 0) {
      open.remove(key);
    }
  }

  private void forgetOver() {
    long now = time.nowNanos();
    open.values().removeIf(own -> own.isOver(now));
  }

  /** Returns the keys among those that match at which a PUT or DELETE may still take effect. */
  public synchronized List<ObjectKey> matching(Predicate<ObjectKey> condition) {
    forgetOver();
    return open.keySet().stream().filter(condition).toList();
  }
}
