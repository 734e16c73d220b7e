/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.history.CommitUndoing.RefusedException;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Looks whether a table is still as the plan of an undo has found it. */
record TableAsPlanned(Stores stores, OutputTable table) {
  /**
   * Checks that each object to delete is there, and none to restore. Takes one request for each
   * 1,000 objects in their directories.
   */
  void require(CommitToUndo plan) throws IOException {
    Map<ObjectKey, Condition> missing = new HashMap<>(plan.removed());
    Set<ObjectKey> restored = new HashSet<>();
    for (RestoredFile file : plan.restored()) {
      restored.add(ObjectKey.of(file));
    }
    Set<ObjectKey> all = new HashSet<>(missing.keySet());
    all.addAll(restored);
    Set<ObjectKey> thereAgain = new HashSet<>();
    Listings.forEach(
        all,
        stores,
        table,
        (store, first, keys) ->
            Keys.forEachPage(
                store,
                first,
                page -> {
                  for (ObjectMeta object : page.objects()) {
                    ObjectKey key = new ObjectKey(store.bucket(), object.key());
                    missing.computeIfPresent(
                        key, (same, condition) -> isMet(condition, object) ? null : condition);
                    if (restored.contains(key)) {
                      thereAgain.add(key);
                    }
                  }
                }));
    Optional<ObjectKey> changed =
        Stream.concat(missing.keySet().stream(), thereAgain.stream()).findFirst();
    if (changed.isPresent()) {
      throw new RefusedException(
          "%s: %s was written or deleted meanwhile. Nothing has changed; try again"
              .formatted(table, changed.get()));
    }
  }

  private static boolean isMet(Condition condition, ObjectMeta object) {
    return condition.etagToDelete().filter(etag -> !etag.equals(object.etag())).isEmpty();
  }
}
