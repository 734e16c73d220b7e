/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.state.StoreFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The files of a checkpoint, sorted by their purpose. {@link LayoutReader} creates it. */
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

  /** Returns the file with the query's id. */
  public Optional<StoredFile> metadata() {
    return Optional.ofNullable(metadata);
  }

  /** Returns all files except those that a repair has moved aside. */
  public List<StoredFile> all() {
    return all;
  }

  public BatchLog offsets() {
    return offsets;
  }

  public BatchLog commits() {
    return commits;
  }

  /** Returns the logs of sources, by the source's number or name. */
  public NavigableMap<String, BatchLog> sources() {
    return sources;
  }

  public NavigableMap<StoreId, StoreFiles> stores() {
    return stores;
  }

  /** Returns the descriptions of operators' state stores, by the operator's number. */
  public NavigableMap<Long, StoredFile> operatorMetadata() {
    return operatorMetadata;
  }

  /** Returns the claims of the runs that wrote this checkpoint, by epoch. */
  public NavigableMap<Long, StoredFile> writers() {
    return writers;
  }

  /** Returns the temporary files of writers that rename. They are leftovers or still in use. */
  public List<StoredFile> unfinished() {
    return unfinished;
  }

  /** Returns the checksum files whose data files do not exist. */
  public List<StoredFile> orphanSides() {
    return orphanSides;
  }

  /** Returns the files in the directories of the logs whose names are not those of a batch. */
  public List<StoredFile> strangers() {
    return strangers;
  }

  /** Returns Spark's own checksum of a file ({@code N.crc}, since 4.1). */
  public Optional<StoredFile> side(StoredFile file) {
    return Optional.ofNullable(sides.get(file.path() + ".crc"));
  }

  /** Returns the hidden checksum that Hadoop keeps beside a local file ({@code .N.crc}). */
  public Optional<StoredFile> hiddenSide(StoredFile file) {
    return Optional.ofNullable(hiddenSides.get(file.parent() + "." + file.name() + ".crc"));
  }

  /** Returns true if any of the files belongs to a checkpoint. */
  public boolean isCheckpoint() {
    return metadata != null
        || offsets.newest().isPresent()
        || commits.newest().isPresent()
        || !sources.isEmpty()
        || !stores.isEmpty();
  }

  /** Returns true if the file is one of the hidden checksums that Hadoop keeps. */
  public boolean isHiddenSide(StoredFile file) {
    return hiddenSides.containsKey(file.path());
  }
}
