/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what would fill a large heap in a JVM of its own with a small one. */
class SmallHeapTest {
  @TempDir Path directory;

  private void run(String mode, String files, String mebibytes) throws Exception {
    Path output = directory.resolve("output.txt");
    Path buffers = Files.createDirectory(directory.resolve("buffers"));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx64m",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SmallHeap.class.getName(),
                    mode,
                    "64",
                    files,
                    mebibytes,
                    buffers.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int code = process.waitFor();
    assertThat(code).as(() -> text(output)).isZero();
    try (var left = Files.newDirectoryStream(buffers, "*.part")) {
      assertThat(left).isEmpty();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void sixtyFourStreamsAreReadInAHeapOf64Mebibytes() throws Exception {
    run("read", "0", "16");
  }

  @Test
  void sixtyFourTasksWriteSixFilesEachToArraysInAHeapOf64Mebibytes() throws Exception {
    run("array", "6", "1");
  }

  @Test
  void sixtyFourTasksWriteALargeFileEachWhereThereIsRoomInAHeapOf64Mebibytes() throws Exception {
    run("auto", "1", "6");
  }

  @Test
  void sixtyFourTasksWriteSixFilesEachToDiskInAHeapOf64Mebibytes() throws Exception {
    run("disk", "6", "1");
  }
}
