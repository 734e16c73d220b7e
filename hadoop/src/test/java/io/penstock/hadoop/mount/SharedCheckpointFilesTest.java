/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.hadoop.checkpoint.CheckpointFilesContract;
import io.penstock.hadoop.checkpoint.Writers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint on a mounted filesystem, and what only such a one has: links, names, side files. */
class SharedCheckpointFilesTest extends CheckpointFilesContract {
  private static final Configuration CONF = new Configuration(false);

  @TempDir java.nio.file.Path directory;

  @Override
  protected CheckpointFiles files() throws IOException {
    return new SharedCheckpointFiles(
        root(), CONF, Writers.UNKNOWN, SharedCheckpointFiles.Probe.NONE);
  }

  @Override
  protected CheckpointFiles fullFiles() throws IOException {
    return on(
        new ScriptedDisk()
            .at(
                "write",
                call -> {
                  throw new IOException("No space left on device");
                }));
  }

  @Override
  protected Path root() {
    return new Path(directory.toUri().getPath(), "check point");
  }

  private CheckpointFiles on(ScriptedDisk disk) throws IOException {
    return new SharedCheckpointFiles(
        root(), CONF, Writers.UNKNOWN, SharedCheckpointFiles.Probe.NONE, disk);
  }

  private java.nio.file.Path onDisk(String name) {
    return directory.resolve("check point").resolve(name);
  }

  private List<String> allNamesIn(String name) throws IOException {
    try (Stream<java.nio.file.Path> all = Files.list(onDisk(name))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private void writeOn(ScriptedDisk disk, boolean overwrite) throws IOException {
    try (AtomicOutput out = on(disk).create(new Path(root(), "offsets/5"), overwrite)) {
      out.write("new".getBytes(UTF_8));
    }
  }

  @Test
  void aNewFileIsSyncedBeforeItIsLinkedAndItsDirectoryAfterwards() throws IOException {
    files().mkdirs(new Path(root(), "offsets"));
    ScriptedDisk disk = new ScriptedDisk();
    writeOn(disk, false);
    assertThat(disk.calls)
        .containsExactly(
            "create", "write", "sync", "delete checksum", "link", "delete", "sync directory");
  }

  @Test
  void aFileThatMayBeReplacedIsSyncedBeforeItIsRenamedAndItsDirectoryAfterwards()
      throws IOException {
    files().mkdirs(new Path(root(), "offsets"));
    ScriptedDisk disk = new ScriptedDisk();
    writeOn(disk, true);
    assertThat(disk.calls)
        .containsExactly("create", "write", "sync", "delete checksum", "rename", "sync directory");
  }

  @Test
  void aProcessThatDiesAtAnyStepLeavesTheFileAbsentOrWhole() throws IOException {
    for (boolean overwrite : List.of(false, true)) {
      for (int steps = 0; steps < 7; steps++) {
        files().delete(root());
        files().mkdirs(new Path(root(), "offsets"));
        String before = overwrite ? "old" : "";
        if (overwrite) {
          write("offsets/5", "old", false);
        }
        ScriptedDisk disk = new ScriptedDisk().diesAfter(steps);
        assertThatCode(() -> writeOn(disk, overwrite))
            .satisfiesAnyOf(
                nothing -> assertThat(nothing).isNull(),
                death -> assertThat(death).isInstanceOf(ScriptedDisk.Death.class));
        boolean there = files().exists(new Path(root(), "offsets/5"));
        assertThat(there ? read("offsets/5") : "").as("at step %d", steps).isIn(before, "new");
        assertThat(names("offsets")).as("at step %d", steps).hasSize(there ? 1 : 0);
        write("offsets/6", "the next run goes on", false);
      }
    }
  }

  @Test
  void aLinkWhoseAnswerWasLostIsRecognisedAsOurs() throws IOException {
    writeOn(
        new ScriptedDisk()
            .at(
                "link",
                call -> {
                  call.run();
                  throw new java.nio.file.FileAlreadyExistsException("offsets/5");
                }),
        false);
    assertThat(read("offsets/5")).isEqualTo("new");
    assertThat(allNamesIn("offsets")).containsExactly("5");
  }

  @Test
  void aLinkThatTimedOutAfterTheServerActedIsRecognisedAsOurs() throws IOException {
    writeOn(
        new ScriptedDisk()
            .at(
                "link",
                call -> {
                  call.run();
                  throw new IOException("Connection timed out");
                }),
        false);
    assertThat(read("offsets/5")).isEqualTo("new");
  }

  @Test
  void aRenameWhoseAnswerWasLostIsRecognisedAsOurs() throws IOException {
    write("offsets/5", "old", false);
    writeOn(
        new ScriptedDisk()
            .at(
                "rename",
                call -> {
                  call.run();
                  throw new NoSuchFileException("offsets/5");
                }),
        true);
    assertThat(read("offsets/5")).isEqualTo("new");
  }

  @Test
  void aFailureAtAnyStepThrowsAndLeavesNoTemporaryFile() throws IOException {
    for (String step : List.of("sync", "delete checksum", "link")) {
      assertThatThrownBy(() -> writeOn(failingAt(step), false)).hasMessageContaining("broken");
      assertThat(allNamesIn("offsets")).as(step).isEmpty();
    }
    assertThatThrownBy(() -> writeOn(failingAt("rename"), true)).hasMessageContaining("broken");
    assertThat(allNamesIn("offsets")).isEmpty();
  }

  private static ScriptedDisk failingAt(String step) {
    return new ScriptedDisk()
        .at(
            step,
            call -> {
              throw new IOException("broken");
            });
  }

  @Test
  void aDirectoryThatIsClosedIsNotReportedAsMissing() {
    ScriptedDisk disk =
        new ScriptedDisk()
            .at(
                "create",
                call -> {
                  throw new FileNotFoundException("offsets/.5.tmp (Permission denied)");
                });
    assertThatThrownBy(() -> writeOn(disk, false))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("offsets/5 cannot be written")
        .hasMessageContaining("Permission denied")
        .hasMessageContaining("this process runs as uid ");
  }

  @Test
  void aDirectoryThatCannotBeSyncedIsSaidToHaveTheFileAllTheSame() throws IOException {
    assertThatThrownBy(() -> writeOn(failingAt("sync directory"), false))
        .hasMessageContaining("offsets/5 is complete, but could be lost in a power failure");
    assertThat(read("offsets/5")).isEqualTo("new");
    assertThat(allNamesIn("offsets")).containsExactly("5");
  }

  @Test
  void anInterruptBeforeTheFileHasItsNameFailsAsInterruptedAndLeavesNothing() throws IOException {
    ScriptedDisk disk =
        new ScriptedDisk()
            .at(
                "sync",
                call -> {
                  call.run();
                  Thread.currentThread().interrupt();
                });
    try {
      assertThatThrownBy(() -> writeOn(disk, false)).isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(allNamesIn("offsets")).isEmpty();
  }

  @Test
  void anInterruptAfterwardsIsKeptAndTheFileIsDurable() throws IOException {
    ScriptedDisk disk =
        new ScriptedDisk()
            .at(
                "link",
                call -> {
                  call.run();
                  Thread.currentThread().interrupt();
                });
    try {
      writeOn(disk, false);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(disk.calls).endsWith("sync directory");
    assertThat(read("offsets/5")).isEqualTo("new");
  }

  @Test
  void whatAnEarlierProcessLeftHalfWrittenIsNotListed() throws IOException {
    write("offsets/5", "whole", false);
    Files.writeString(onDisk("offsets/.6.0b1f7a52-3f5c-4a53-9d0e-6f0f1c1e7a11.tmp"), "ha");
    Files.writeString(onDisk("offsets/.7.0b1f7a52-3f5c-4a53-9d0e-6f0f1c1e7a11.TID12.tmp"), "ha");
    assertThat(names("offsets")).containsExactly("5");
    write("offsets/6", "whole", false);
    assertThat(names("offsets")).containsExactlyInAnyOrder("5", "6");
  }

  @Test
  void theSideFilesOfSparksOwnManagerAreHiddenAndGoWithTheirFile() throws IOException {
    writeAsHadoopDoes("state/1.delta", "old");
    writeAsHadoopDoes("state/2.delta", "old");
    assertThat(allNamesIn("state"))
        .containsExactly(".1.delta.crc", ".2.delta.crc", "1.delta", "2.delta");
    assertThat(names("state")).containsExactlyInAnyOrder("1.delta", "2.delta");
    write("state/1.delta", "longer than before", true);
    assertThat(read("state/1.delta")).isEqualTo("longer than before");
    files().delete(new Path(root(), "state/2.delta"));
    assertThat(allNamesIn("state")).containsExactly("1.delta");
  }

  @Test
  void aChecksumWhoseFileIsGoneDoesNotSpoilTheNewOne() throws IOException {
    writeAsHadoopDoes("state/1.delta", "old");
    Files.delete(onDisk("state/1.delta"));
    write("state/1.delta", "longer than before", false);
    assertThat(read("state/1.delta")).isEqualTo("longer than before");
  }

  private void writeAsHadoopDoes(String name, String content) throws IOException {
    try (LocalFileSystem hadoop = new LocalFileSystem()) {
      hadoop.initialize(java.net.URI.create("file:///"), CONF);
      try (var out = hadoop.create(new Path(root(), name), true)) {
        out.write(content.getBytes(UTF_8));
      }
    }
  }

  @Test
  void aConflictNamesTheRunThatClaimedTheCheckpoint() throws IOException {
    write("offsets/5", "theirs", false);
    CheckpointFiles ours = claimedBy(3, 4, "epoch 4, application app-2 on host-b, pid 77");
    assertThatThrownBy(() -> writeTo(ours, false))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("offsets/5 already exists")
        .hasMessageContaining("epoch 4, application app-2 on host-b, pid 77");
    assertThat(allNamesIn("offsets")).containsExactly("5");
  }

  @Test
  void aConflictIsReportedEvenIfTheClaimsCannotBeRead() throws IOException {
    write("offsets/5", "theirs", false);
    CheckpointFiles ours = claimedBy(3, 3, null);
    assertThatThrownBy(() -> writeTo(ours, false))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("not known")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void aRunThatWasOvertakenReplacesNothing() throws IOException {
    write("offsets/5", "theirs", false);
    assertThatThrownBy(() -> writeTo(claimedBy(3, 4, "epoch 4 on host-b"), true))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("epoch 4 on host-b")
        .hasMessageContaining("epoch 3) must stop");
    assertThat(read("offsets/5")).isEqualTo("theirs");
    writeTo(claimedBy(4, 4, "epoch 4 on host-b"), true);
    assertThat(read("offsets/5")).isEqualTo("ours");
    assertThat(allNamesIn("offsets")).containsExactly("5");
  }

  private void writeTo(CheckpointFiles files, boolean overwrite) throws IOException {
    try (AtomicOutput out = files.create(new Path(root(), "offsets/5"), overwrite)) {
      out.write("ours".getBytes(UTF_8));
    }
  }

  private CheckpointFiles claimedBy(long own, long newest, String who) throws IOException {
    Writers writers =
        new Writers() {
          @Override
          public long ownEpoch() {
            return own;
          }

          @Override
          public long newestEpoch() {
            return newest;
          }

          @Override
          public String newest() {
            if (who == null) {
              throw new UncheckedIOException(new IOException("Stale file handle"));
            }
            return who;
          }
        };
    return new SharedCheckpointFiles(root(), CONF, writers, SharedCheckpointFiles.Probe.NONE);
  }

  @Test
  void aPathWithoutASchemeIsTheSameAsOneWithFile() throws IOException {
    write("offsets/5", "whole", false);
    Path withScheme = new Path("file", null, root().toUri().getPath() + "/offsets/5");
    assertThat(files().exists(withScheme)).isTrue();
    assertThat(files().createCheckpointDirectory().toString()).startsWith("file:");
  }
}
