/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.spark.SparkJudge;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Optional;

/** Checks which class writes the checkpoints of streaming queries on S3 (rule R14). */
public record CheckpointManagerCheck(Job job) implements Check {
  private static final String MANAGER = SparkJudge.CHECKPOINT_MANAGER;

  private static final String OURS = "Penstock's: one request per file, no rename";

  @Override
  public String name() {
    return "checkpoint manager";
  }

  @Override
  public List<CheckOutcome> look() {
    if (job.hasPlugin()) {
      return PluginFindings.of(
          name(),
          job.keepsCheckpoints() ? List.of() : job.judge().checkpoints(),
          job.keepsCheckpoints() ? "as configured: the plugin's is off" : OURS);
    }
    Optional<String> manager = job.given().get(MANAGER);
    if (manager.filter(name -> name.startsWith("io.penstock.")).isPresent()) {
      return List.of(CheckOutcome.pass(name(), OURS));
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
