/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trying a directory before a query starts. */
class MountCheckTest {
  @TempDir Path temp;

  @Test
  void aDirectoryThatWillDoIsMadeAndLeftEmpty() throws IOException {
    Path checkpoint = temp.resolve("a/b c");
    MountCheck.require(Disk.POSIX, checkpoint);
    MountCheck.require(Disk.POSIX, checkpoint);
    assertThat(namesIn(checkpoint)).isEmpty();
  }

  @Test
  void allThatACheckpointNeedsIsTriedInIt() throws IOException {
    ScriptedDisk disk = new ScriptedDisk();
    MountCheck.require(disk, temp);
    assertThat(disk.calls)
        .containsExactly(
            "create", "write", "sync", "link", "rename", "sync directory", "delete", "delete");
  }

  @Test
  void aFileInThePlaceOfTheDirectoryIsNamed() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThatThrownBy(() -> MountCheck.require(Disk.POSIX, file))
        .hasMessageContaining("making it failed (A file has that name)")
        .hasMessageContaining("is a file: choose another path");
  }

  @Test
  void aFilesystemWithoutHardLinksIsRefusedAndTheProbeRemoved() throws IOException {
    ScriptedDisk fat =
        failing("link", new FileSystemException("a", "b", "Operation not permitted"));
    assertThatThrownBy(() -> MountCheck.require(fat, temp))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "creating a hard link to a file in it failed (Operation not permitted)")
        .hasMessageContaining("no hard links");
    assertThatThrownBy(
            () ->
                MountCheck.require(
                    failing("link", new UnsupportedOperationException("link")), temp))
        .hasMessageContaining("no hard links");
    assertThat(namesIn(temp)).isEmpty();
  }

  @Test
  void aFilesystemThatCannotSyncADirectoryIsRefused() throws IOException {
    ScriptedDisk disk = failing("sync directory", new IOException("Invalid argument"));
    assertThatThrownBy(() -> MountCheck.require(disk, temp))
        .hasMessageContaining("syncing the directory (fsync) failed (Invalid argument)");
    assertThat(namesIn(temp)).isEmpty();
  }

  @Test
  void aFullFilesystemIsSaidToBeFull() throws IOException {
    ScriptedDisk disk = failing("write", new IOException("No space left on device"));
    assertThatThrownBy(() -> MountCheck.require(disk, temp))
        .hasMessageContaining("writing to a file in it failed (No space left on device)")
        .hasMessageContaining("The filesystem has no free bytes");
    assertThat(namesIn(temp)).isEmpty();
  }

  @Test
  void anEarlierRunsFilesOfTheSameUserAreFine() throws IOException {
    Files.createDirectories(temp.resolve("state/0/0"));
    Files.writeString(temp.resolve("state/0/0/1.delta"), "");
    assertThatCode(() -> MountCheck.require(Disk.POSIX, temp)).doesNotThrowAnyException();
  }

  @Test
  void theLookAtAnEarlierRunsFilesEndsAfterSoMany() throws IOException {
    for (int i = 0; i < 30; i++) {
      Files.writeString(temp.resolve("file" + i), "");
    }
    MountIdentity stranger = new MountIdentity(-7, -7, "stranger");
    assertThat(new ClosedEntries(stranger, 20).below(temp)).isEmpty();
    assertThat(new ClosedEntries(stranger, 0).below(temp)).isEmpty();
  }

  private static ScriptedDisk failing(String step, Exception failure) {
    return new ScriptedDisk()
        .at(
            step,
            call -> {
              if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
              }
              throw (IOException) failure;
            });
  }

  private static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
