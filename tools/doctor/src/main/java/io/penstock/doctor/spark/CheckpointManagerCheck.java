/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Optional;

/** Checks which class writes the checkpoints of streaming queries on S3 (rule R14). */
public record CheckpointManagerCheck(Job job) implements Check {
  private static final String MANAGER = "spark.sql.streaming.checkpointFileManagerClass";

  @Override
  public String name() {
    return "checkpoint manager";
  }

  @Override
  public List<CheckOutcome> look() {
    Optional<String> manager = job.given().get(MANAGER);
    boolean isOurs = manager.filter(name -> name.startsWith("io.penstock.")).isPresent();
    if (isOurs || (job.hasPlugin() && manager.isEmpty())) {
      return List.of(CheckOutcome.pass(name(), "Penstock's: one request per file, no rename"));
    }
    if (job.hasPlugin()) {
      return List.of(
          CheckOutcome.fail(
              name(),
              MANAGER + "=" + manager.get() + ": the plugin refuses to start with this setting",
              "Remove " + MANAGER + "."));
    }
    if (manager
        .filter(name -> name.endsWith("AbortableStreamBasedCheckpointFileManager"))
        .isPresent()) {
      return List.of(
          CheckOutcome.warn(
              name(),
              "S3A's abortable manager: it does not rename, but its close() hides a failed upload",
              "For streams with checkpoints on S3, use Penstock's manager or a mounted"
                  + " filesystem."));
    }
    return List.of(
        CheckOutcome.warn(
            name(),
            "Spark's own: it renames every checkpoint file, which on S3 is a copy and a delete",
            "For streams with checkpoints on S3, use Penstock; docs/checkpoints.md says what it"
                + " saves. Jobs without streams can ignore this."));
  }
}
