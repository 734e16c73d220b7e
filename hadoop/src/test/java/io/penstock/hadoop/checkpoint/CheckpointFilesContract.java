/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Structured Streaming counts on, wherever the checkpoint is. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class CheckpointFilesContract {
  private static final int RACERS = 8;
  private static final int ROUNDS = 50;

  /** Files in an empty checkpoint directory; the same one within a test. */
  protected abstract CheckpointFiles files() throws IOException;

  /** Files of the same checkpoint, in a place that takes no more bytes. */
  protected abstract CheckpointFiles fullFiles() throws IOException;

  /** The checkpoint's own path. */
  protected abstract Path root();

  private Path path(String name) {
    return new Path(root(), name);
  }

  @Test
  void aFileIsAbsentUntilItIsClosedAndThenWhole() throws IOException {
    AtomicOutput out = files().create(path("offsets/0"), false);
    out.write("v1\n".getBytes(UTF_8));
    out.flush();
    assertThat(files().exists(path("offsets/0"))).isFalse();
    assertThat(names("offsets")).isEmpty();
    out.write("{}".getBytes(UTF_8), 0, 2);
    out.close();
    assertThat(read("offsets/0")).isEqualTo("v1\n{}");
    assertThat(names("offsets")).containsExactly("0");
  }

  @Test
  void aLargeFileComesBackAsItWasWritten() throws IOException {
    byte[] content = new byte[3_000_001];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 + i / 7919);
    }
    try (AtomicOutput out = files().create(path("state/0/0/1.zip"), true)) {
      out.write(content, 0, 7);
      out.write(content[7]);
      out.write(content, 8, content.length - 8);
    }
    try (FSDataInputStream in = files().open(path("state/0/0/1.zip"))) {
      assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
    }
  }

  @Test
  void anEmptyFileIsAFile() throws IOException {
    write("empty", "", false);
    assertThat(read("empty")).isEmpty();
    assertThat(files().list(path("empty"))).extracting(FileStatus::getLen).containsExactly(0L);
  }

  @Test
  void theFirstBytesOfAFileAreRead() throws IOException {
    write("_penstock_writers/000001", "{\"epoch\":1}", false);
    write("empty", "", false);
    assertThat(files().read(path("_penstock_writers/000001"), 100))
        .hasValue("{\"epoch\":1}".getBytes(UTF_8));
    assertThat(files().read(path("_penstock_writers/000001"), 4)).hasValue("{\"ep".getBytes(UTF_8));
    assertThat(files().read(path("empty"), 4)).hasValue(new byte[0]);
    assertThat(files().read(path("_penstock_writers/000002"), 4)).isEmpty();
  }

  @Test
  void aFileThatIsThereIsNotReplacedUnlessItMayBe() throws IOException {
    write("commits/7", "first", false);
    assertThatThrownBy(() -> write("commits/7", "second", false))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("commits/7");
    assertThat(read("commits/7")).isEqualTo("first");
    write("commits/7", "third", true);
    assertThat(read("commits/7")).isEqualTo("third");
    assertThat(names("commits")).containsExactly("7");
  }

  @Test
  void aFileThatMayBeReplacedNeedNotBeThere() throws IOException {
    write("state/0/0/1.delta", "new", true);
    assertThat(read("state/0/0/1.delta")).isEqualTo("new");
  }

  @Test
  void ofManyWritersOfOneFileExactlyOneWins() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RACERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        List<String> winners = race(threads, "offsets/" + round);
        assertThat(winners).as("round %d", round).hasSize(1);
        assertThat(read("offsets/" + round)).isEqualTo(winners.get(0));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(names("offsets")).hasSize(50);
  }

  private List<String> race(ExecutorService threads, String name) throws Exception {
    CyclicBarrier start = new CyclicBarrier(RACERS);
    CheckpointFiles files = files();
    List<Callable<String>> racers = new ArrayList<>();
    for (int racer = 0; racer < RACERS; racer++) {
      String content = "writer " + racer;
      racers.add(
          () -> {
            AtomicOutput out = files.create(path(name), false);
            out.write(content.getBytes(UTF_8));
            start.await();
            try {
              out.close();
              return content;
            } catch (FileAlreadyExistsException e) {
              return "";
            }
          });
    }
    List<String> winners = new ArrayList<>();
    for (Future<String> racer : threads.invokeAll(racers)) {
      if (!racer.get().isEmpty()) {
        winners.add(racer.get());
      }
    }
    return winners;
  }

  @Test
  void ofManyReplacersTheLastOneStaysAndEveryReaderSeesAWholeFile() throws Exception {
    write("metadata", "0".repeat(1000), true);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CheckpointFiles files = files();
    try {
      Future<?> writer =
          threads.submit(
              () -> {
                for (int round = 1; round < 10; round++) {
                  write(files, "metadata", Integer.toString(round).repeat(1000), true);
                }
                return null;
              });
      while (!writer.isDone()) {
        String content = read("metadata");
        assertThat(content).isEqualTo(content.substring(0, 1).repeat(1000));
      }
      writer.get();
    } finally {
      threads.shutdownNow();
    }
    assertThat(read("metadata")).isEqualTo("9".repeat(1000));
  }

  @Test
  void aCancelledFileIsNeverThere() throws IOException {
    AtomicOutput out = files().create(path("offsets/1"), false);
    out.write("half".getBytes(UTF_8));
    out.cancel();
    out.cancel();
    out.close();
    assertThat(files().exists(path("offsets/1"))).isFalse();
    assertThat(files().list(path("offsets"))).isEmpty();
  }

  @Test
  void cancellingAReplacementLeavesTheFileAsItWas() throws IOException {
    write("state/1.delta", "old", true);
    AtomicOutput out = files().create(path("state/1.delta"), true);
    out.write("new".getBytes(UTF_8));
    out.cancel();
    assertThat(read("state/1.delta")).isEqualTo("old");
  }

  @Test
  void closingTwiceOrCancellingAfterwardsDoesNothing() throws IOException {
    AtomicOutput out = files().create(path("offsets/2"), false);
    out.write("whole".getBytes(UTF_8));
    out.close();
    out.close();
    out.cancel();
    assertThat(read("offsets/2")).isEqualTo("whole");
  }

  @Test
  void writingAfterCloseFails() throws IOException {
    AtomicOutput out = files().create(path("offsets/2"), false);
    out.close();
    assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> out.write(new byte[3], 0, 3)).isInstanceOf(IOException.class);
  }

  @Test
  void aFileWhoseWriteFailedIsNeverPublished() throws IOException {
    write("state/1.delta", "old", true);
    for (String name : List.of("state/1.delta", "state/2.delta")) {
      AtomicOutput out = fullFiles().create(path(name), true);
      // Somewhere from the first byte to the close, depending on what is buffered.
      assertThatThrownBy(
              () -> {
                out.write(new byte[200_000], 0, 200_000);
                out.close();
              })
          .isInstanceOf(IOException.class);
      assertThatCode(out::cancel).doesNotThrowAnyException();
      assertThatCode(out::close).doesNotThrowAnyException();
    }
    assertThat(read("state/1.delta")).isEqualTo("old");
    assertThat(files().exists(path("state/2.delta"))).isFalse();
    assertThat(names("state")).containsExactly("1.delta");
  }

  @Test
  void anInterruptedWriterEitherFailsAsInterruptedOrHasWrittenTheWholeFile() throws IOException {
    AtomicOutput out = files().create(path("offsets/3"), false);
    boolean published = true;
    boolean stillInterrupted;
    try {
      Thread.currentThread().interrupt();
      out.write("whole".getBytes(UTF_8));
      out.close();
    } catch (InterruptedIOException e) {
      published = false;
      out.cancel();
    } finally {
      stillInterrupted = Thread.interrupted();
    }
    assertThat(stillInterrupted).isTrue();
    assertThat(files().exists(path("offsets/3"))).isEqualTo(published);
    assertThat(names("offsets")).hasSize(published ? 1 : 0);
  }

  @Test
  void openingWhatIsNotThereFailsAsNotFound() {
    assertThatThrownBy(() -> files().open(path("none")).close())
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> files().open(path("none/either")).close())
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void aDirectoryThatIsNotThereIsListedAsEmpty() throws IOException {
    assertThat(files().list(path("none"))).isEmpty();
    assertThat(files().list(path("none/either"))).isEmpty();
  }

  @Test
  void aListingHasFilesAndDirectoriesOfOneLevel() throws IOException {
    write("state/0/_metadata/schema", "s", false);
    write("state/0/1.delta", "12345", false);
    write("state/0/2.delta", "", false);
    assertThat(names("state/0")).containsExactlyInAnyOrder("_metadata", "1.delta", "2.delta");
    for (FileStatus status : files().list(path("state/0"))) {
      boolean directory = status.getPath().getName().equals("_metadata");
      assertThat(status.isDirectory()).isEqualTo(directory);
      assertThat(status.getPath().getParent().getName()).isEqualTo("0");
      if (status.getPath().getName().equals("1.delta")) {
        assertThat(status.getLen()).isEqualTo(5);
      }
    }
  }

  @Test
  void aDirectoryMadeTwiceIsStillUsable() throws IOException {
    files().mkdirs(path("sources/0"));
    files().mkdirs(path("sources/0"));
    assertThat(files().list(path("sources/0"))).isEmpty();
    write("sources/0/0", "v1", false);
    assertThat(files().exists(path("sources/0"))).isTrue();
  }

  @Test
  void deletingTakesAFileOrADirectoryWithAllInItOrNothing() throws IOException {
    write("offsets/1", "1", false);
    write("offsets/10", "10", false);
    write("state/0/0/1.delta", "d", false);
    files().delete(path("offsets/1"));
    files().delete(path("offsets/1"));
    files().delete(path("none/at/all"));
    assertThat(names("offsets")).containsExactly("10");
    files().delete(path("state"));
    assertThat(files().exists(path("state/0/0/1.delta"))).isFalse();
    assertThat(files().exists(path("state"))).isFalse();
  }

  @Test
  void aDeletedFileCanBeWrittenAgain() throws IOException {
    write("offsets/1", "first", false);
    files().delete(path("offsets/1"));
    write("offsets/1", "again", false);
    assertThat(read("offsets/1")).isEqualTo("again");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space",
        " 1",
        "100%",
        "%2F",
        "%25",
        "a+b",
        "a#b",
        "a?b",
        "a=b&c=d",
        "it's",
        "[x]*{y}",
        "größe",
        "日本",
        "e\u0301",
        ".hidden",
        "_under",
        "1.delta.crc",
        "~",
        "-rf",
        "a,b;c"
      })
  void hostileNamesAreNamesLikeOthers(String name) throws IOException {
    write("d/" + name, name, false);
    assertThat(names("d")).containsExactly(name);
    assertThat(files().exists(path("d/" + name))).isTrue();
    assertThat(read("d/" + name)).isEqualTo(name);
    Path listed = files().list(path("d")).get(0).getPath();
    try (FSDataInputStream in = files().open(listed)) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(name);
    }
    write("d/" + name, "other", true);
    assertThat(read("d/" + name)).isEqualTo("other");
    files().delete(path("d/" + name));
    assertThat(files().exists(path("d/" + name))).isFalse();
  }

  @Test
  void theCheckpointDirectoryIsMadeAndNamedInFull() throws IOException {
    Path made = files().createCheckpointDirectory();
    assertThat(made.toUri().getScheme()).isNotNull();
    assertThat(made.toUri().getPath()).isEqualTo(root().toUri().getPath());
    assertThat(files().createCheckpointDirectory()).isEqualTo(made);
    assertThat(files().list(made)).isEmpty();
  }

  protected final void write(String name, String content, boolean overwrite) throws IOException {
    write(files(), name, content, overwrite);
  }

  private void write(CheckpointFiles files, String name, String content, boolean overwrite)
      throws IOException {
    try (AtomicOutput out = files.create(path(name), overwrite)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  protected final String read(String name) throws IOException {
    try (FSDataInputStream in = files().open(path(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  protected final List<String> names(String directory) throws IOException {
    return files().list(path(directory)).stream().map(f -> f.getPath().getName()).toList();
  }
}
