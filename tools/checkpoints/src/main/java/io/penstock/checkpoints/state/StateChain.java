/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * The files needed to load a state store at a version: the newest snapshot or full file at or
 * before the version, and the increments after it. Without a full file, the increments start from
 * empty state.
 *
 * @param files the newest first
 * @param missing the names of missing increments, the newest first; the last entry may name a range
 */
public record StateChain(long version, List<VersionFile> files, List<String> missing) {
  /**
   * Finds the files that a store needs for a version.
   *
   * @param ids returns the unique ids that the files of a version must have; an empty set accepts
   *     any file
   */
  public static StateChain of(StoreFiles store, long version, LongFunction<Set<String>> ids) {
    List<VersionFile> files = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (long n = version; n > 0; n--) {
      Optional<VersionFile> found = at(store, n, ids.apply(n));
      found.ifPresent(files::add);
      if (found.isPresent() && found.get().kind().isWhole()) {
        break;
      }
      if (found.isEmpty()) {
        // The numbers come from names of files and can be any size, so a gap is skipped without
        // counting through it.
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

  /** Returns the full file at the beginning of the chain, if there is one. */
  Optional<VersionFile> base() {
    return files.stream().filter(file -> file.kind().isWhole()).findFirst();
  }

  /** Returns true if no file of the chain is missing. */
  public boolean isWhole() {
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
