/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers for which requests the retries have given up. The SDK repeats a request that failed
 * here, and S3A repeats what failed there: if each of these attempts had all retries again, a store
 * that is gone would be waited for for hours. Safe for many threads.
 */
final class Patience {
  private static final Duration REMEMBERED = Duration.ofMinutes(15);
  private static final int KEYS_MAX = 1_000;

  private final Time time;

  /** When the retries of each key gave up, the oldest first; guarded by itself. */
  private final Map<String, Long> gaveUp =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > KEYS_MAX;
        }
      };

  /** False while no key has given up, so that requests take no lock. */
  private volatile boolean hasGivenUp;

  /** The same for the whole store, while it has answered nothing since. */
  private volatile long storeGaveUp;

  private volatile boolean isStoreGone;

  Patience(Time time) {
    this.time = time;
  }

  /** Returns true if a request for the key is worth all retries. */
  boolean isLeft(String key) {
    if (isStoreGone && isRecent(storeGaveUp)) {
      return false;
    }
    if (!hasGivenUp) {
      return true;
    }
    synchronized (gaveUp) {
      Long nanos = gaveUp.get(key);
      return nanos == null || !isRecent(nanos);
    }
  }

  private boolean isRecent(long nanos) {
    return time.nowNanos() - nanos < REMEMBERED.toNanos();
  }

  /** The store has answered a request for the key. */
  void answered(String key) {
    if (isStoreGone) {
      isStoreGone = false;
    }
    if (hasGivenUp) {
      synchronized (gaveUp) {
        gaveUp.remove(key);
        hasGivenUp = !gaveUp.isEmpty();
      }
    }
  }

  /** A request for the key has failed, after all its retries. */
  void failed(String key, StoreException failure) {
    if (failure.kind().retry() == Retry.NEVER) {
      answered(key);
      return;
    }
    long now = time.nowNanos();
    synchronized (gaveUp) {
      gaveUp.remove(key); // so that it becomes the youngest
      gaveUp.put(key, now);
      hasGivenUp = true;
    }
    if (failure.kind() == StoreException.Kind.UNREACHABLE) {
      storeGaveUp = now;
      isStoreGone = true;
    }
  }
}
