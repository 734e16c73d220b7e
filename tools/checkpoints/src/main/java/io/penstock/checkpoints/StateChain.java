/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * The files that bring a state store to a version: the newest whole one at or before it, and each
 * step since. Without a whole one the steps start from nothing.
 *
 * @param files the newest first
 * @param missing names of steps that are not there, the newest first; the last may name a range
 */
public record StateChain(long version, List<VersionFile> files, List<String> missing) {
  /**
   * Finds the files of a store for a version.
   *
   * @param ids which unique ids a version's files have; empty when any will do
   */
  static StateChain of(StoreFiles store, long version, LongFunction<Set<String>> ids) {
    List<VersionFile> files = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (long n = version; n > 0; n--) {
      Optional<VersionFile> found = at(store, n, ids.apply(n));
      found.ifPresent(files::add);
      if (found.isPresent() && found.get().kind().isWhole()) {
        break;
      }
      if (found.isEmpty()) {
        // Numbers come from names, which may hold any: never count through a hole.
        Long below = store.versions().lowerKey(n);
        if (below == null) {
          missing.add(nothingBelow(store, n));
          break;
        }
        missing.add(hole(store, below + 1, n, ids.apply(n)));
        n = below + 1;
      }
    }
    return new StateChain(version, files, missing);
  }

  private static Optional<VersionFile> at(StoreFiles store, long version, Set<String> ids) {
    return store.at(version).stream()
        .filter(file -> ids.isEmpty() || file.uniqueId().map(ids::contains).orElse(false))
        .max(
            Comparator.comparing((VersionFile file) -> file.kind().isWhole())
                .thenComparing(file -> file.file().modified()));
  }

  /** The whole file it starts from, if it starts from one. */
  Optional<VersionFile> base() {
    return files.stream().filter(file -> file.kind().isWhole()).findFirst();
  }

  boolean isWhole() {
    return missing.isEmpty();
  }

  private static String hole(StoreFiles store, long first, long last, Set<String> ids) {
    if (first < last) {
      return first + " to " + last + "." + step(store);
    }
    String id = ids.size() == 1 ? "_" + ids.iterator().next() : "";
    return last + id + "." + step(store);
  }

  private static String nothingBelow(StoreFiles store, long version) {
    String range = version == 1 ? "1." + step(store) : "1 to " + version + "." + step(store);
    return store.versions().isEmpty() ? range : range + ", or a snapshot among them";
  }

  private static String step(StoreFiles store) {
    if (store.has(VersionFile.Kind.CHANGELOG)) {
      return "changelog";
    }
    return store.has(VersionFile.Kind.ZIP) ? "zip" : "delta";
  }
}
