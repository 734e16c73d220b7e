/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A log with a file a batch: offsets, commits, a file source's or the file sink's. Some of the
 * files may hold all batches up to theirs ({@code N.compact}).
 */
public final class BatchLog {
  private static final String COMPACT = ".compact";

  private final NavigableMap<Long, StoredFile> files = new TreeMap<>();

  /** Numbers that are missing, both ends among them. */
  public record Gap(long first, long last) {
    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + " to " + last;
    }
  }

  /** Takes a file when its name is a batch's, and says whether it was. */
  boolean take(StoredFile file) {
    String name = file.name();
    String number =
        name.endsWith(COMPACT) ? name.substring(0, name.length() - COMPACT.length()) : name;
    Optional<Long> batch = Numbers.batch(number);
    if (batch.isEmpty()) {
      return false;
    }
    // A compact file stands for the plain one beside it.
    files.merge(batch.get(), file, (a, b) -> isCompact(a) ? a : b);
    return true;
  }

  static boolean isCompact(StoredFile file) {
    return file.name().endsWith(COMPACT);
  }

  public NavigableMap<Long, StoredFile> files() {
    return files;
  }

  public Optional<Long> newest() {
    return files.isEmpty() ? Optional.empty() : Optional.of(files.lastKey());
  }

  boolean has(long batch) {
    return files.containsKey(batch);
  }

  Optional<StoredFile> file(long batch) {
    return Optional.ofNullable(files.get(batch));
  }

  /** Returns what is missing between the first number and the newest file. */
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

  /** Returns what is missing between its oldest and its newest file. */
  List<Gap> gaps() {
    return files.isEmpty() ? List.of() : gapsFrom(files.firstKey());
  }

  /**
   * Returns what is missing of what a reader needs: everything from the newest compact file on, or
   * from the first batch when there is none.
   */
  List<Gap> gapsForReaders() {
    long start =
        files.descendingMap().entrySet().stream()
            .filter(entry -> isCompact(entry.getValue()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(0L);
    return gapsFrom(start);
  }
}
