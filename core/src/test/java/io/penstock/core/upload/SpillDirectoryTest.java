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
  void whatADeadProcessOfThisHostLeftIsDeletedAndNothingElse() throws IOException {
    Files.createFile(directory.resolve("penstock-notes.part"));
    Files.createFile(directory.resolve("other.lock"));
    SpillDirectory dead = SpillDirectory.own(directory, "here");
    Path left = dead.newFile();
    Path more = dead.newFile();
    dead.die();
    SpillDirectory elsewhere = SpillDirectory.own(directory, "there");
    Path theirs = elsewhere.newFile();
    elsewhere.die();
    SpillDirectory own = SpillDirectory.own(directory, "here");
    Path mine = own.newFile();

    own.sweep();

    assertThat(left).doesNotExist();
    assertThat(more).doesNotExist();
    assertThat(mine).exists();
    assertThat(theirs).exists();
    // Two notes, and a lock and a buffer of each of two.
    assertThat(files()).hasSize(6).contains("penstock-notes.part", "other.lock");
  }

  @Test
  void buffersOfAProcessThatLivesStay() throws IOException {
    // Another one of this JVM, as a second class loader has.
    Path buffer = SpillDirectory.own(directory, "here").newFile();
    SpillDirectory.own(directory, "here").sweep();
    assertThat(buffer).exists();
  }

  @Test
  void aLockThatCannotBeOpenedKeepsNoOther() throws IOException {
    Files.createDirectory(directory.resolve("penstock-here-0.lock"));
    SpillDirectory dead = SpillDirectory.own(directory, "here");
    Path left = dead.newFile();
    dead.die();
    SpillDirectory.own(directory, "here").sweep();
    assertThat(left).doesNotExist();
  }

  @Test
  void aDirectoryThatWasDeletedIsMadeAgain() throws IOException {
    Path below = directory.resolve("buffers");
    SpillDirectories directories = new SpillDirectories();
    Path first = directories.newFile(below);
    Files.delete(first);
    try (Stream<Path> files = Files.list(below)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(below);
    assertThat(directories.newFile(below)).exists();
  }
}
