/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The versions of a bucket's objects, each object's from the newest to the oldest. Guarded by its
 * store.
 *
 * @param <T> what the store keeps of an object
 */
final class KeptVersions<T> {
  /**
   * @param object empty for a delete marker
   */
  private record Kept<T>(String id, Optional<T> object, Instant written) {}

  private final NavigableMap<String, List<Kept<T>>> versions = new TreeMap<>(KeyOrder.INSTANCE);
  private long nextId = 1;

  /** Adds an object that was written while the bucket kept no versions. */
  void addNull(String key, T object, Instant written) {
    chain(key).add(0, new Kept<>(ObjectVersion.NULL, Optional.of(object), written));
  }

  /**
   * @param object empty for a delete marker
   */
  void add(String key, Optional<T> object, Instant now) {
    chain(key).add(0, new Kept<>("v%010d".formatted(nextId++), object, now));
  }

  private List<Kept<T>> chain(String key) {
    return versions.computeIfAbsent(key, unused -> new ArrayList<>());
  }

  /** Returns the object of a version; empty if there is none. */
  Optional<T> get(String key, String id) {
    return stream(key).filter(kept -> kept.id().equals(id)).findFirst().flatMap(Kept::object);
  }

  /** Returns the object that a request without a version id finds. */
  Optional<T> latest(String key) {
    return stream(key).findFirst().flatMap(Kept::object);
  }

  /** Removes a version, if there is one, and returns its object. */
  Optional<T> remove(String key, String id) {
    Optional<T> removed = get(key, id);
    List<Kept<T>> rest = versions.getOrDefault(key, new ArrayList<>());
    rest.removeIf(kept -> kept.id().equals(id));
    if (rest.isEmpty()) {
      versions.remove(key);
    }
    return removed;
  }

  private Stream<Kept<T>> stream(String key) {
    return versions.getOrDefault(key, List.of()).stream();
  }

  /**
   * @param listed returns an object's metadata
   */
  VersionsPage page(ListRequest request, Function<T, ObjectMeta> listed) {
    Optional<String[]> after = request.token().map(token -> token.split(" ", 2));
    String from = after.map(token -> token[1]).orElse(request.startAfter());
    List<ObjectVersion> page = new ArrayList<>();
    for (String key : versions.tailMap(from, after.isPresent()).keySet()) {
      List<Kept<T>> chain = versions.get(key);
      if (!key.startsWith(request.prefix()) || isBelow(request, key)) {
        continue;
      }
      int first = 0;
      if (after.isPresent() && key.equals(from)) {
        String last = after.get()[0];
        first = 1 + chain.stream().map(Kept::id).toList().indexOf(last);
      }
      for (int i = first; i < chain.size(); i++) {
        if (page.size() == request.maxKeys()) {
          ObjectVersion last = page.get(page.size() - 1);
          return new VersionsPage(page, Optional.of(last.versionId() + " " + last.key()));
        }
        page.add(version(key, chain.get(i), i == 0, listed));
      }
    }
    return new VersionsPage(page, Optional.empty());
  }

  private static boolean isBelow(ListRequest request, String key) {
    return !request.delimiter().isEmpty()
        && key.indexOf(request.delimiter(), request.prefix().length()) >= 0;
  }

  private ObjectVersion version(
      String key, Kept<T> kept, boolean isLatest, Function<T, ObjectMeta> listed) {
    var meta = kept.object().map(listed);
    return new ObjectVersion(
        key,
        kept.id(),
        meta.isEmpty(),
        isLatest,
        meta.map(one -> one.sizeBytes()).orElse(0L),
        meta.map(one -> one.etag()).orElse(""),
        kept.written(),
        false);
  }
}
