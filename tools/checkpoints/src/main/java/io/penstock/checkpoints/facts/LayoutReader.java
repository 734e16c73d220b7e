/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.Numbers;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.state.StoreFiles;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sorts the files of a checkpoint by their purpose, using only their names. */
public final class LayoutReader {
  /** The directory into which a repair moves files. */
  public static final String ASIDE = "_penstock_repair/";

  private static final String WRITERS = "_penstock_writers/";

  private final Layout layout = new Layout();
  private final Set<String> paths = new HashSet<>();

  private LayoutReader() {}

  public static Layout read(Collection<StoredFile> files) {
    LayoutReader reader = new LayoutReader();
    files.forEach(file -> reader.paths.add(file.path()));
    for (StoredFile file : files) {
      if (!file.path().startsWith(ASIDE)) {
        reader.layout.all.add(file);
        reader.place(file);
      }
    }
    return reader.layout;
  }

  /** Returns a single log, such as the file sink's. */
  public static BatchLog readLog(Collection<StoredFile> files) {
    BatchLog log = new BatchLog();
    files.forEach(log::take);
    return log;
  }

  private void place(StoredFile file) {
    String[] parts = file.path().split("/", -1);
    if (isUnfinished(file.name())) {
      layout.unfinished.add(file);
    } else if (file.name().endsWith(".crc") && isSparks(parts)) {
      placeSide(file);
    } else if (parts.length == 1) {
      if (file.name().equals("metadata")) {
        layout.metadata = file;
      }
    } else {
      placeBelow(parts, file);
    }
    countState(parts, file);
  }

  /** Returns false for a file of somebody else, such as of a Delta table around the checkpoint. */
  private static boolean isSparks(String[] parts) {
    return parts.length == 1
        || List.of("offsets", "commits", "sources", "state").contains(parts[0]);
  }

  private void placeBelow(String[] parts, StoredFile file) {
    switch (parts[0] + "/") {
      case "offsets/" -> placeLog(layout.offsets, parts, 2, file);
      case "commits/" -> placeLog(layout.commits, parts, 2, file);
      case "sources/" -> {
        if (parts.length == 3) {
          layout.sources.computeIfAbsent(parts[1], name -> new BatchLog()).take(file);
        }
      }
      case "state/" -> placeState(parts, file);
      case WRITERS -> epoch(parts[1]).ifPresent(epoch -> layout.writers.put(epoch, file));
      default -> {
        // Other files that a source or a user keeps here. Spark ignores them.
      }
    }
  }

  private void placeLog(BatchLog log, String[] parts, int depth, StoredFile file) {
    if (parts.length == depth && !BatchLog.isCompact(file) && log.take(file)) {
      return;
    }
    layout.strangers.add(file);
  }

  private void placeState(String[] parts, StoredFile file) {
    if (parts.length > 3 && parts[2].equals("_metadata")) {
      Numbers.batch(parts[1])
          .ifPresent(op -> layout.operatorMetadata.merge(op, file, LayoutReader::newer));
    }
    store(parts)
        .ifPresent(
            id -> {
              StoreFiles store = layout.stores.computeIfAbsent(id, key -> new StoreFiles());
              if (isImmutable(parts[parts.length - 2])) {
                store.takeImmutable(file);
              } else {
                store.take(file);
              }
            });
  }

  /**
   * Returns the file of the newer batch. The metadata is in state/0/_metadata/metadata or
   * state/0/_metadata/v2/BATCH.
   */
  private static StoredFile newer(StoredFile a, StoredFile b) {
    long batchOfA = Numbers.batch(a.name()).orElse(-1L);
    return Numbers.batch(b.name()).orElse(-1L) > batchOfA ? b : a;
  }

  private void countState(String[] parts, StoredFile file) {
    store(parts).map(layout.stores::get).ifPresent(store -> store.count(file));
  }

  /**
   * Returns the store of state/operator/partition[/store][/SSTs or logs]/file. Returns empty for
   * other paths, and for a store's name that starts with _.
   */
  private static Optional<StoreId> store(String[] parts) {
    if (parts.length < 4 || !parts[0].equals("state")) {
      return Optional.empty();
    }
    Optional<Long> operator = Numbers.batch(parts[1]);
    Optional<Long> partition = Numbers.batch(parts[2]);
    int inside = parts.length - 3 - (isImmutable(parts[parts.length - 2]) ? 1 : 0);
    if (operator.isEmpty() || partition.isEmpty() || inside > 2) {
      return Optional.empty();
    }
    String name = inside == 2 ? parts[3] : StoreId.DEFAULT;
    return name.startsWith("_")
        ? Optional.empty()
        : Optional.of(new StoreId(operator.get(), partition.get(), name));
  }

  private static boolean isImmutable(String directory) {
    return directory.equals("SSTs") || directory.equals("logs");
  }

  private void placeSide(StoredFile file) {
    String name = file.name().substring(0, file.name().length() - ".crc".length());
    boolean hidden = name.startsWith(".");
    if (!paths.contains(file.parent() + (hidden ? name.substring(1) : name))) {
      layout.orphanSides.add(file);
    } else {
      (hidden ? layout.hiddenSides : layout.sides).put(file.path(), file);
    }
  }

  /**
   * Returns true for .name.uuid.tmp of a manager that renames, and for Hadoop's hidden checksum of
   * such a file.
   */
  private static boolean isUnfinished(String name) {
    return name.startsWith(".") && (name.endsWith(".tmp") || name.endsWith(".tmp.crc"));
  }

  private static Optional<Long> epoch(String name) {
    String digits = name.replaceFirst("^0+(?=.)", "");
    return Numbers.batch(digits);
  }
}
