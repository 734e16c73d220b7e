/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.state;

import io.penstock.checkpoints.place.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The files of one state store. */
public final class StoreFiles {
  private final NavigableMap<Long, List<VersionFile>> versions = new TreeMap<>();
  private final TreeMap<String, StoredFile> immutables = new TreeMap<>();
  private long count;
  private long sizeBytes;

  /** Adds a file if its name is that of a version. */
  public void take(StoredFile file) {
    VersionFile.of(file)
        .ifPresent(v -> versions.computeIfAbsent(v.version(), n -> new ArrayList<>()).add(v));
  }

  /** Adds an SST or log file. Snapshots of RocksDB refer to it by name. */
  public void takeImmutable(StoredFile file) {
    immutables.put(file.name(), file);
  }

  /** Counts a file and its size. */
  public void count(StoredFile file) {
    count++;
    sizeBytes += file.sizeBytes();
  }

  public long fileCount() {
    return count;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns the files by version, without the RocksDB files that snapshots refer to. */
  public NavigableMap<Long, List<VersionFile>> versions() {
    return versions;
  }

  public Optional<Long> newest() {
    return versions.isEmpty() ? Optional.empty() : Optional.of(versions.lastKey());
  }

  /** Returns the files of the version. */
  public List<VersionFile> at(long version) {
    return versions.getOrDefault(version, List.of());
  }

  /** Returns the SST or log file of this name, if there is one. */
  public Optional<StoredFile> immutable(String name) {
    return Optional.ofNullable(immutables.get(name));
  }

  boolean has(VersionFile.Kind kind) {
    return versions.values().stream().flatMap(List::stream).anyMatch(v -> v.kind() == kind);
  }

  /** Returns the state store provider, recognized by the names of its files. */
  public String provider() {
    if (has(VersionFile.Kind.CHANGELOG)) {
      return "RocksDB, changelog";
    }
    return has(VersionFile.Kind.ZIP) ? "RocksDB" : "HDFSBacked";
  }
}
