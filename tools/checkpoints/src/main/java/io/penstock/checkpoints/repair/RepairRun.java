/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.repair;

import io.penstock.checkpoints.facts.LayoutReader;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.FileChangedException;
import io.penstock.checkpoints.place.StoredFile;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Executes a repair plan. Each file is copied below {@code _penstock_repair/} and deleted only
 * after that. A file that has changed since it was judged is neither copied nor deleted.
 */
public final class RepairRun {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final CheckpointPlace files;
  private final String aside;

  public RepairRun(CheckpointPlace files, Instant now) {
    this.files = files;
    this.aside = LayoutReader.ASIDE + NAME.format(now) + "/";
  }

  /** Returns the directory of the copies, relative to the checkpoint. */
  public String aside() {
    return aside;
  }

  /**
   * Moves the files of one step. All files are copied before the first one is deleted.
   *
   * @throws FileChangedException when a file has changed since it was judged
   * @throws IOException when a request fails; copies may be left then, and files after the failed
   *     one are not deleted
   */
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
