/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.spark.checkpoint.mount.MountedCheckpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans batches on a mounted filesystem, which keeps no writer with a file. */
class PlannedOffsetsTest {
  @TempDir private java.nio.file.Path directory;
  private CheckpointFiles files;
  private PlannedOffsets planned;

  @BeforeEach
  void open() throws IOException {
    files = MountedCheckpoint.open(new Path(directory.toUri()), new Configuration(false));
    planned = new PlannedOffsets(files);
  }

  private void plan(long batch, String offset) throws IOException {
    Path file = new Path(new Path(directory.toUri()), "offsets/" + batch);
    try (AtomicOutput output = planned.guarded(files.create(file, false), file, batch)) {
      output.write(("v1\n{}\n" + offset).getBytes(StandardCharsets.UTF_8));
    }
  }

  private void logOfSource(long newest) throws IOException {
    java.nio.file.Path log = Files.createDirectories(directory.resolve("sources/0"));
    Files.writeString(log.resolve(newest + ".compact"), "v1");
  }

  private java.nio.file.Path offsets(long batch) {
    return directory.resolve("offsets/" + batch);
  }

  @Test
  void aBatchThatGoesBackBehindThatOfAnotherRunIsNotWritten() throws IOException {
    Files.createDirectories(directory.resolve("offsets"));
    Files.writeString(offsets(2), "v1\n{}\n{\"logOffset\":2}");
    logOfSource(2);

    assertThatThrownBy(() -> plan(3, "{\"logOffset\":1}"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("offsets/3 is not written: its offsets would go back from entry 2")
        .hasMessageContaining("this run was starting. Stop one of the two runs");
    try (var left = Files.list(directory.resolve("offsets"))) {
      assertThat(left).containsExactly(offsets(2));
    }
    plan(3, "{\"logOffset\":2}");
    assertThat(offsets(3)).exists();
  }

  @Test
  void aRunKnowsWhatItHasPlannedItself() throws IOException {
    logOfSource(5);
    plan(0, "{\"logOffset\":4}");
    Files.delete(offsets(0));

    assertThatThrownBy(() -> plan(1, "{\"logOffset\":3}")).hasMessageContaining("from entry 4");
    plan(1, "{\"logOffset\":5}");
    assertThat(offsets(1)).exists();
  }

  /** Spark stops loudly then. If it did not, it would skip files once the numbers fit again. */
  @Test
  void aBatchThatGoesBackIsWrittenIfTheSourceHasLostItsLog() throws IOException {
    plan(0, "{\"logOffset\":4}");
    logOfSource(3);
    plan(1, "{\"logOffset\":3}");
    assertThat(offsets(1)).exists();
  }

  @Test
  void aBatchWithoutOneBeforeItIsWritten() throws IOException {
    plan(7, "{\"logOffset\":0}");
    assertThat(offsets(7)).exists();
  }
}
