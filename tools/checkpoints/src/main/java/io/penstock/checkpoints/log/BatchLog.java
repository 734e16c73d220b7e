/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A log with one file for each batch: the offsets, the commits, or the log of a file source or the
 * file sink. A file named {@code N.compact} contains all batches up to N.
 */
public final class BatchLog {
  private static final String COMPACT = ".compact";

  private final NavigableMap<Long, StoredFile> files = new TreeMap<>();

  /** A range of missing batch numbers, both ends inclusive. */
  public record Gap(long first, long last) {
    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + " to " + last;
    }
  }

  /** Adds a file if its name is that of a batch. Returns true if the file was added. */
  public boolean take(StoredFile file) {
    String name = file.name();
    String number =
        name.endsWith(COMPACT) ? name.substring(0, name.length() - COMPACT.length()) : name;
    Optional<Long> batch = Numbers.batch(number);
    if (batch.isEmpty()) {
      return false;
    }
    // A compact file takes precedence over the plain file of the same batch.
    files.merge(batch.get(), file, (a, b) -> isCompact(a) ? a : b);
    return true;
  }

  /** Returns true if the file is the compacted log up to its batch. */
  public static boolean isCompact(StoredFile file) {
    return file.name().endsWith(COMPACT);
  }

  public NavigableMap<Long, StoredFile> files() {
    return files;
  }

  public Optional<Long> newest() {
    return files.isEmpty() ? Optional.empty() : Optional.of(files.lastKey());
  }

  /** Returns true if the log has a file for the batch. */
  public boolean has(long batch) {
    return files.containsKey(batch);
  }

  /** Returns the file of the batch, if there is one. */
  public Optional<StoredFile> file(long batch) {
    return Optional.ofNullable(files.get(batch));
  }

  /** Returns the missing batches between the given number and the newest file. */
  List<Gap> gapsFrom(long first) {
    List<Gap> gaps = new ArrayList<>();
    long expected = first;
    for (long batch : files.tailMap(first, true).keySet()) {
      if (batch > expected) {
        gaps.add(new Gap(expected, batch - 1));
      }
      expected = batch + 1;
    }
    return gaps;
  }

  /** Returns the missing batches between the oldest and the newest file. */
  public List<Gap> gaps() {
    return files.isEmpty() ? List.of() : gapsFrom(files.firstKey());
  }

  /**
   * Returns the missing batches that a reader needs. A reader needs all batches from the newest
   * compact file on, or from the first batch when there is no compact file.
   */
  public List<Gap> gapsForReaders() {
    long start =
        files.descendingMap().entrySet().stream()
            .filter(entry -> isCompact(entry.getValue()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(0L);
    return gapsFrom(start);
  }
}
