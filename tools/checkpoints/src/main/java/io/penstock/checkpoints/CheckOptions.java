/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.Optional;

/**
 * The depths to which a checkpoint is looked at.
 *
 * @param newest how many of the newest offsets and commits are read
 * @param isDeep whether every file that has a checksum is read and compared with it
 * @param sink where the log of the query's file sink is
 */
public record CheckOptions(int newest, boolean isDeep, Optional<CheckpointFiles> sink) {
  public CheckOptions {
    if (newest < 2) {
      throw new IllegalArgumentException("need to read at least 2 batches, got " + newest);
    }
  }
}
