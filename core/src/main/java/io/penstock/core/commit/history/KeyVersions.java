/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.keys.Places;
import io.penstock.core.store.versions.ObjectVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The newest versions of some keys, and what else is there in their directories. */
final class KeyVersions {
  /** The newest object of a key, and the delete markers of the key. */
  private static final class Chain {
    private Optional<ObjectVersion> object = Optional.empty();
    private boolean hasOtherContent;
    private final List<ObjectVersion> markers = new ArrayList<>(1);
  }

  private final Map<ObjectKey, Chain> chains = new HashMap<>();

  /** The objects at other keys. */
  private final Map<ObjectKey, ObjectVersion> others = new HashMap<>();

  /**
   * Lists the versions of the keys. Takes one request for each 1,000 versions in the keys'
   * directories.
   */
  static KeyVersions of(Collection<ObjectKey> keys, Stores stores, OutputTable table)
      throws IOException {
    KeyVersions found = new KeyVersions();
    Listings.forEach(keys, stores, table, found::list);
    return found;
  }

  private void list(ObjectStore store, ListRequest first, Set<String> keys) throws IOException {
    Set<String> directories = new HashSet<>();
    keys.forEach(key -> directories.add(Places.directory(key)));
    Keys.forEachVersion(
        store,
        first,
        version -> {
          ObjectKey key = new ObjectKey(store.bucket(), version.key());
          if (keys.contains(version.key())) {
            add(key, version);
          } else if (version.isLatest()
              && !version.isMarker()
              && directories.contains(Places.directory(version.key()))) {
            others.put(key, version);
          }
        });
  }

  private void add(ObjectKey key, ObjectVersion version) {
    Chain chain = chains.computeIfAbsent(key, unused -> new Chain());
    if (version.isMarker()) {
      chain.markers.add(version);
    } else if (chain.object.isEmpty()) {
      chain.object = Optional.of(version); // Newer ones are listed first.
    } else {
      chain.hasOtherContent |= !Etags.match(chain.object.get().etag(), version.etag());
    }
  }

  /** Returns the objects at other keys of the same directories. */
  Map<ObjectKey, ObjectVersion> others() {
    return others;
  }

  /** Returns true if a key has had objects with another content than the newest one. */
  boolean hasOtherContent(ObjectKey key) {
    return chains.containsKey(key) && chains.get(key).hasOtherContent;
  }

  /** Returns the newest object that a key has, or had. */
  Optional<ObjectVersion> newest(ObjectKey key) {
    return Optional.ofNullable(chains.get(key)).flatMap(chain -> chain.object);
  }

  /**
   * Returns the ids of the delete markers of a key that has no object now. Older ones are among
   * them, behind the newest object: to remove them does no harm, and the times do not tell which
   * they are. versitygw gives a deleted object the time of its deletion, and a marker that of the
   * object.
   */
  List<String> markers(ObjectKey key) {
    boolean isThere = newest(key).filter(ObjectVersion::isLatest).isPresent();
    Chain chain = chains.get(key);
    return chain == null || isThere
        ? List.of()
        : chain.markers.stream().map(ObjectVersion::versionId).toList();
  }
}
