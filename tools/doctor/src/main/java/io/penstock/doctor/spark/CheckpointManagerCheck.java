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
      return List.of(CheckOutcome.pass(name(), "Penstock's: one request a file, no rename"));
    }
    if (job.hasPlugin()) {
      return List.of(
          CheckOutcome.fail(
              name(),
              MANAGER + "=" + manager.get() + ": the plugin refuses to start with it",
              "Remove " + MANAGER + "."));
    }
    if (manager
        .filter(name -> name.endsWith("AbortableStreamBasedCheckpointFileManager"))
        .isPresent()) {
      return List.of(
          CheckOutcome.warn(
              name(),
              "S3A's abortable one: no rename, and its close() hides an upload that failed",
              "Streams on S3 only: use Penstock's, or a mounted filesystem."));
    }
    return List.of(
        CheckOutcome.warn(
            name(),
            "Spark's own: every file of a checkpoint on S3 is renamed, by copy and delete",
            "For streams that checkpoint on S3 use Penstock; docs/checkpoints.md has what it"
                + " saves. Jobs without streams may ignore this."));
  }
}
