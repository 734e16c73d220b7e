/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillDirectoryTest {
  @TempDir private Path directory;

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatADeadProcessLeftIsDeletedAndNothingElse() throws IOException {
    Files.createFile(directory.resolve("penstock-notes.part"));
    Files.createFile(directory.resolve("other.lock"));
    SpillDirectory dead = SpillDirectory.own(directory, 1);
    dead.newFile();
    dead.newFile();
    dead.release();
    SpillDirectory own = SpillDirectory.own(directory, 2);
    Path mine = own.newFile();

    own.sweep();

    assertThat(mine).exists();
    assertThat(files())
        .hasSize(4)
        .contains("penstock-notes.part", "other.lock")
        .noneMatch(name -> name.startsWith("penstock-1-"));
  }

  @Test
  void buffersOfAProcessThatLivesStay() throws IOException {
    SpillDirectory alive = SpillDirectory.own(directory, 1);
    Path buffer = alive.newFile();
    SpillDirectory.own(directory, 2).sweep();
    assertThat(buffer).exists();
  }

  @Test
  void aDirectoryThatWasDeletedIsMadeAgain() throws IOException {
    Path below = directory.resolve("buffers");
    Path first = SpillDirectory.of(below).newFile();
    Files.delete(first);
    try (Stream<Path> files = Files.list(below)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(below);
    assertThat(SpillDirectory.of(below).newFile()).exists();
  }
}
