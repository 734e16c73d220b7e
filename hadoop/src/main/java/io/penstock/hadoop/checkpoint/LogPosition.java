/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/** The position of a batch's file in its log. */
public record LogPosition(CheckpointFiles files, Path file) {
  /** Returns true if the file is in a log that has one file for each batch. */
  public boolean isInLog() {
    return BatchNames.isLog(file.getParent()) && number() >= 0;
  }

  /** Returns true if the file holds the offsets of a batch. */
  public boolean isOfOffsets() {
    return file.getParent().getName().equals(BatchNames.OFFSETS) && number() >= 0;
  }

  /** Returns the batch's number; -1 if the name has none. */
  public long number() {
    return BatchNames.number(file.getName());
  }

  /** Returns the log that the file is in. */
  public String log() {
    return file.getParent().toString();
  }

  /**
   * Returns true if the log has a later file than this one. Sends one listing. Meaningful only if
   * {@link #isInLog}. A missing directory has no later file.
   */
  public boolean isBehind() throws IOException {
    return numbers().stream().anyMatch(there -> there > number());
  }

  /**
   * Returns true if the log has a later file than this one, or lacks one of the given batches
   * although it has an earlier one: somebody has taken the query back. Spark itself deletes the
   * earliest files only.
   */
  public boolean isBehindOrTakenBack(Collection<Long> written) throws IOException {
    NavigableSet<Long> there = numbers();
    return there.higher(number()) != null
        || written.stream().anyMatch(own -> !there.contains(own) && there.lower(own) != null);
  }

  private NavigableSet<Long> numbers() throws IOException {
    return files.list(file.getParent()).stream()
        .map(status -> BatchNames.number(status.getPath().getName()))
        .filter(number -> number >= 0)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
