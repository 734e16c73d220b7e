/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
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

  /**
   * Returns true if the log has a later file than this one. Sends one listing. Meaningful only if
   * {@link #isInLog}. A missing directory has no later file.
   */
  public boolean isBehind() throws IOException {
    long number = number();
    return files.list(file.getParent()).stream()
        .anyMatch(status -> BatchNames.number(status.getPath().getName()) > number);
  }
}
