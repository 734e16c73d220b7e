/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.store.ObjectStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The keys at which an upload may exist whose id nobody knows, since the answer to its creation was
 * lost. Its owner locks; only {@link #looksToCome} may be called at any time.
 */
final class LostCreations {
  private static final int KEPT_MAX = 10_000;

  private final Map<ObjectKey, ObjectStore> places = new HashMap<>();
  private final AtomicInteger looksToCome = new AtomicInteger();
  private final OrphanUploads.Later later;

  LostCreations(OrphanUploads.Later later) {
    this.later = later;
  }

  /** Keeps a key until its job ends, unless too many are kept. */
  void add(ObjectStore store, String key) {
    if (places.size() < KEPT_MAX) {
      places.put(new ObjectKey(store.bucket(), key), store);
    }
  }

  /** Removes and returns the keys of a job. */
  Map<ObjectKey, ObjectStore> take(String jobId) {
    Map<ObjectKey, ObjectStore> taken = new HashMap<>();
    places.forEach(
        (at, store) -> {
          if (Intent.isOwn(jobId, at.key())) {
            taken.put(at, store);
          }
        });
    places.keySet().removeAll(taken.keySet());
    return taken;
  }

  /** Aborts the uploads at these keys, on the calling thread. */
  static void abort(Map<ObjectKey, ObjectStore> places) {
    places.forEach((at, store) -> OrphanUploads.abortAt(store, at.key()));
  }

  /**
   * Aborts them after ten seconds, on a thread of its own: a request that was cut on its way may
   * take effect only then.
   */
  void abortLater(Map<ObjectKey, ObjectStore> places) {
    later.run(
        () -> {
          try {
            abort(places);
          } finally {
            looksToCome.decrementAndGet();
          }
        });
    looksToCome.incrementAndGet(); // last, in case it could not be planned
  }

  /** Returns how many looks are still to come or under way. */
  int looksToCome() {
    return looksToCome.get();
  }
}
