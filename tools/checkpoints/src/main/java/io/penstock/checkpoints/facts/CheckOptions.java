/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.place.CheckpointPlace;
import java.util.Optional;

/**
 * The options for how thoroughly a checkpoint is checked.
 *
 * @param newest the number of newest offsets and commits that are read
 * @param isDeep true if every file with a checksum is read and compared with its checksum
 * @param sink the location of the log of the query's file sink
 */
public record CheckOptions(int newest, boolean isDeep, Optional<CheckpointPlace> sink) {
  public CheckOptions {
    if (newest < 2) {
      throw new IllegalArgumentException("need to read at least 2 batches, got " + newest);
    }
  }
}
