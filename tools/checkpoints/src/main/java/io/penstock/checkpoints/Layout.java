/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A checkpoint's files, each in its place. Made by {@link LayoutReader}. */
public final class Layout {
  final List<StoredFile> all = new ArrayList<>();
  final BatchLog offsets = new BatchLog();
  final BatchLog commits = new BatchLog();
  final NavigableMap<String, BatchLog> sources = new TreeMap<>();
  final NavigableMap<StoreId, StoreFiles> stores = new TreeMap<>();
  final NavigableMap<Long, StoredFile> operatorMetadata = new TreeMap<>();
  final NavigableMap<Long, StoredFile> writers = new TreeMap<>();
  final List<StoredFile> unfinished = new ArrayList<>();
  final List<StoredFile> orphanSides = new ArrayList<>();
  final List<StoredFile> strangers = new ArrayList<>();
  final Map<String, StoredFile> sides = new TreeMap<>();
  final Map<String, StoredFile> hiddenSides = new TreeMap<>();
  StoredFile metadata;

  /** The file with the query's id. */
  public Optional<StoredFile> metadata() {
    return Optional.ofNullable(metadata);
  }

  /** Every file but those that a repair has put aside. */
  public List<StoredFile> all() {
    return all;
  }

  public BatchLog offsets() {
    return offsets;
  }

  public BatchLog commits() {
    return commits;
  }

  /** The logs of sources, by the source's number or name. */
  public NavigableMap<String, BatchLog> sources() {
    return sources;
  }

  public NavigableMap<StoreId, StoreFiles> stores() {
    return stores;
  }

  /** Returns what describes an operator's stores, by the operator's number. */
  public NavigableMap<Long, StoredFile> operatorMetadata() {
    return operatorMetadata;
  }

  /** Claims of the runs that wrote here, by epoch. */
  public NavigableMap<Long, StoredFile> writers() {
    return writers;
  }

  /** Temporary files of writers that rename, left over or in use. */
  public List<StoredFile> unfinished() {
    return unfinished;
  }

  /** Checksums of files that are not there. */
  public List<StoredFile> orphanSides() {
    return orphanSides;
  }

  /** Files in the logs' places whose names are no batch's. */
  public List<StoredFile> strangers() {
    return strangers;
  }

  /** Spark's own checksum of a file ({@code N.crc}, since 4.1). */
  public Optional<StoredFile> side(StoredFile file) {
    return Optional.ofNullable(sides.get(file.path() + ".crc"));
  }

  /** The hidden checksum that Hadoop keeps beside a local file ({@code .N.crc}). */
  public Optional<StoredFile> hiddenSide(StoredFile file) {
    return Optional.ofNullable(hiddenSides.get(file.parent() + "." + file.name() + ".crc"));
  }

  /** Returns true if anything here is of a checkpoint. */
  public boolean isCheckpoint() {
    return metadata != null
        || offsets.newest().isPresent()
        || commits.newest().isPresent()
        || !sources.isEmpty()
        || !stores.isEmpty();
  }
}
