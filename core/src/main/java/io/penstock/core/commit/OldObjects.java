/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Deletes objects that a commit has replaced long ago, unless others have taken their places. */
final class OldObjects {
  /** What Spark puts into the names of SQL jobs' files. Nobody writes to such a name again. */
  private static final String UNIQUE =
      ".*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[^/]*";

  private OldObjects() {}

  /**
   * @param latest last time at which one of the objects may have been written, by the store's clock
   */
  static void delete(StoreAccess access, Replaced replaced, Instant latest) throws IOException {
    Map<ObjectKey, Condition> left = Collections.synchronizedMap(new LinkedHashMap<>());
    left.putAll(replaced.old());
    left.keySet().removeAll(replaced.inPlace());
    List<ObjectKey> doubtful =
        left.keySet().stream().filter(key -> !key.key().matches(UNIQUE)).toList();
    Parallel.forEachIn(
        key -> access.pool().reads(key.bucket(), key.key()),
        doubtful,
        key -> {
          if (!isSame(access.stores().of(key.bucket()), key, left.get(key), latest)) {
            left.remove(key);
          }
        });
    for (String bucket : left.keySet().stream().map(ObjectKey::bucket).distinct().toList()) {
      List<Map.Entry<String, Condition>> own =
          left.entrySet().stream()
              .filter(one -> one.getKey().bucket().equals(bucket))
              .map(one -> Map.entry(one.getKey().key(), one.getValue()))
              .toList();
      try {
        Keys.deleteUnchanged(access.stores().of(bucket), own, access.pool());
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY) {
          throw e;
        }
      }
    }
  }

  private static boolean isSame(ObjectStore store, ObjectKey key, Condition listed, Instant latest)
      throws IOException {
    Optional<String> etag = listed.etagToDelete();
    try {
      ObjectMeta found = store.head(key.key());
      return etag.isPresent()
          && Etags.match(etag.get(), found.etag())
          && !found.lastModified().isAfter(latest);
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }
}
