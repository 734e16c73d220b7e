/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Remembers the PUTs that may still take effect: those under way, and those that ended without an
 * answer a short time ago. Such a PUT may write an object again that was deleted in between. Safe
 * for use by many threads.
 */
public final class UnansweredPuts {
  /**
   * The time after which a PUT without an answer takes no effect any more. This is a judgement: S3
   * answers 99.99 % of its PUTs in less, and it closes connections on which nothing moves for 20 s.
   */
  static final Duration SETTLING = Duration.ofSeconds(10);

  /** Failures that do not say whether the store acts on the request. */
  private static final Set<Kind> NO_ANSWER = Set.of(Kind.CONNECTION_LOST, Kind.SERVER_ERROR);

  private final Time time;
  private final Map<ObjectKey, Open> open = new HashMap<>();

  public UnansweredPuts(Time time) {
    this.time = time;
  }

  /** The PUTs of one key that may still take effect. */
  private static final class Open {
    private int underWay;
    private boolean isUnanswered;
    private long endedNanos;

    boolean isOver(long nowNanos) {
      return underWay == 0 && (!isUnanswered || nowNanos - endedNanos >= SETTLING.toNanos());
    }
  }

  /** Returns a store whose PUTs are remembered here. It must be next to the real store. */
  public ObjectStore watched(ObjectStore store) {
    return new StoreWrapper(store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        return operation == Operation.PUT
            ? watched(new ObjectKey(bucket(), key), call)
            : call.run();
      }

      private <T> T watched(ObjectKey key, Call<T> call) throws IOException {
        begin(key);
        boolean isAnswered = false;
        try {
          T answer = call.run();
          isAnswered = true;
          return answer;
        } catch (StoreException e) {
          isAnswered = !NO_ANSWER.contains(e.kind());
          throw e;
        } finally {
          end(key, isAnswered);
        }
      }
    };
  }

  private synchronized void begin(ObjectKey key) {
    open.computeIfAbsent(key, own -> new Open()).underWay++;
  }

  private synchronized void end(ObjectKey key, boolean isAnswered) {
    Open own = open.get(key);
    own.underWay--;
    if (!isAnswered) {
      own.isUnanswered = true;
      own.endedNanos = time.nowNanos();
      forgetOver();
    } else if (!own.isUnanswered && own.underWay == 0) {
      open.remove(key);
    }
  }

  private void forgetOver() {
    long now = time.nowNanos();
    open.values().removeIf(own -> own.isOver(now));
  }

  /** Returns the keys among those that match at which a PUT may still take effect. */
  synchronized List<ObjectKey> matching(Predicate<ObjectKey> condition) {
    forgetOver();
    return open.keySet().stream().filter(condition).toList();
  }
}
