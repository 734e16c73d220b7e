/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Places;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The newest versions of some keys. */
final class KeyVersions {
  /** The newest object of a key, and the delete markers of the key. */
  private static final class Chain {
    private Optional<ObjectVersion> object = Optional.empty();
    private final List<ObjectVersion> markers = new ArrayList<>(1);
  }

  private final Map<ObjectKey, Chain> chains = new HashMap<>();

  /**
   * Lists the versions of the keys. Takes one request for each 1,000 versions in the keys'
   * directories.
   */
  static KeyVersions of(Collection<ObjectKey> keys, Stores stores) throws IOException {
    KeyVersions found = new KeyVersions();
    Map<String, Set<String>> byBucket =
        keys.stream()
            .collect(
                Collectors.groupingBy(
                    ObjectKey::bucket,
                    Collectors.mapping(ObjectKey::key, Collectors.toCollection(HashSet::new))));
    for (Map.Entry<String, Set<String>> one : byBucket.entrySet()) {
      ObjectStore store = stores.of(one.getKey());
      for (ListRequest first : Places.of(one.getValue())) {
        found.list(store, first, one.getValue());
      }
    }
    return found;
  }

  private void list(ObjectStore store, ListRequest first, Set<String> keys) throws IOException {
    ListRequest request = first;
    while (true) {
      VersionsPage page = store.listVersions(request);
      for (ObjectVersion version : page.versions()) {
        if (keys.contains(version.key())) {
          add(new ObjectKey(store.bucket(), version.key()), version);
        }
      }
      if (page.nextToken().isEmpty()) {
        return;
      }
      request = request.next(page.nextToken().get());
    }
  }

  private void add(ObjectKey key, ObjectVersion version) {
    Chain chain = chains.computeIfAbsent(key, unused -> new Chain());
    if (version.isMarker()) {
      chain.markers.add(version);
    } else if (chain.object.isEmpty()) {
      chain.object = Optional.of(version); // Newer ones are listed first.
    }
  }

  /** Returns the newest object that a key has, or had. */
  Optional<ObjectVersion> newest(ObjectKey key) {
    return Optional.ofNullable(chains.get(key)).flatMap(chain -> chain.object);
  }

  /**
   * Returns the ids of the delete markers that stand before the newest object of a key: those that
   * were made later. If the times say that there is none, returns all: versitygw tells when an
   * object was deleted, and when a marker's object was written. To remove an older one does no
   * harm.
   */
  List<String> markers(ObjectKey key) {
    Optional<ObjectVersion> object = newest(key);
    if (object.isEmpty() || object.get().isLatest()) {
      return List.of();
    }
    List<ObjectVersion> all = chains.get(key).markers;
    List<ObjectVersion> later =
        all.stream()
            .filter(marker -> !marker.lastModified().isBefore(object.get().lastModified()))
            .toList();
    return (later.isEmpty() ? all : later).stream().map(ObjectVersion::versionId).toList();
  }
}
