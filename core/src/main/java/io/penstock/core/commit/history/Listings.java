/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Places;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The listings that show some keys, which may be in several buckets. */
final class Listings {
  /** No key begins so: what is outside the table's bucket is listed by its directories. */
  private static final String NOWHERE = "\0";

  private Listings() {}

  /** Reads a listing from its first request on. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads it.
     *
     * @param keys all the keys in that bucket
     */
    void read(ObjectStore store, ListRequest first, Set<String> keys) throws IOException;
  }

  static void forEach(Collection<ObjectKey> keys, Stores stores, OutputTable table, Reader reader)
      throws IOException {
    Map<String, Set<String>> byBucket =
        keys.stream()
            .collect(
                Collectors.groupingBy(
                    ObjectKey::bucket,
                    Collectors.mapping(ObjectKey::key, Collectors.toCollection(HashSet::new))));
    for (Map.Entry<String, Set<String>> one : byBucket.entrySet()) {
      ObjectStore store = stores.of(one.getKey());
      String prefix = one.getKey().equals(table.bucket()) ? table.prefix() : NOWHERE;
      for (ListRequest first : Places.of(one.getValue(), prefix)) {
        reader.read(store, first, one.getValue());
      }
    }
  }
}
