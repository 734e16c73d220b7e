/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Carries out a plan: each file is copied below {@code _penstock_repair/} and only then deleted,
 * and neither if it is no longer the file that was judged.
 */
public final class RepairRun {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final CheckpointFiles files;
  private final String aside;

  public RepairRun(CheckpointFiles files, Instant now) {
    this.files = files;
    this.aside = LayoutReader.ASIDE + NAME.format(now) + "/";
  }

  /** Returns where the copies go, below the checkpoint. */
  public String aside() {
    return aside;
  }

  /** Moves the files of one step; all are copied before the first is deleted. */
  public void run(RepairPlan.Step step) throws IOException {
    List<StoredFile> moved = step.files();
    for (StoredFile file : moved) {
      files.copy(file, aside + file.path());
    }
    for (StoredFile file : moved) {
      files.delete(file);
    }
  }
}
