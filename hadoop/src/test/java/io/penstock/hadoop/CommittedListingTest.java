/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static io.penstock.hadoop.EmbeddedFs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import io.penstock.hadoop.tree.FlatListing;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Test;

/** Listings of tables show what is committed, while jobs commit or after they have died in that. */
class CommittedListingTest {
  /** The store of a job that dies when it sends this request, or a later one. */
  private static final class Dying extends StoreWrapper {
    private final String lastWords;
    private boolean isDead;

    Dying(ObjectStore inner, String lastWords) {
      super(inner);
      this.lastWords = lastWords;
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      isDead |= (operation + " " + key).contains(lastWords);
      if (isDead) {
        throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
      }
      return call.run();
    }
  }

  private static JobCommit commit(EmbeddedFs s3, ObjectStore store, String job, String output) {
    Means means =
        new Means(
            bucket -> store,
            Runnable::run,
            SystemTime.INSTANCE,
            CommitConfig.from(Settings.of(Map.of())),
            renewal -> () -> false,
            s3.engine.unansweredWrites());
    return new JobCommit(
        means,
        Output.of("lake", output),
        started -> new CommittingJob(job, "app", "user", "host", 1, Instant.now()));
  }

  private static List<TaskFile> files(String... keys) throws IOException {
    List<TaskFile> files = new ArrayList<>();
    for (String key : keys) {
      Body body = Body.ofBytes(new byte[4]);
      files.add(new InlineFile("lake", key, 4, Etags.ofContent(body), Optional.of(body)));
    }
    return files;
  }

  private static void append(EmbeddedFs s3, String job, String... keys) throws IOException {
    commit(s3, s3.bucket(), job, "t").commit(files(keys), SuccessMarker.JSON);
  }

  /** Leaves a commit at the point of a request. */
  private static void die(EmbeddedFs s3, String job, boolean replaces, String at, String... keys)
      throws IOException {
    JobCommit commit = commit(s3, new Dying(s3.bucket(), at), job, "t");
    if (replaces) {
      commit.replace("lake", "t/");
    }
    List<TaskFile> files = files(keys);
    assertThatThrownBy(() -> commit.commit(files, SuccessMarker.JSON))
        .isInstanceOf(IOException.class);
  }

  private static List<String> data(EmbeddedFs s3, String directory) throws IOException {
    return s3.listFiles(directory).stream().filter(key -> !key.contains("/_")).toList();
  }

  @Test
  void theFilesOfACommitThatIsNotDecidedAreNotListedHoweverOneAsks() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/p=1/a-one", "t/p=2/b-one");
      die(s3, "two", false, ".decision", "t/p=1/c-two", "t/p=3/d-two");
      assertThat(s3.keys()).contains("t/p=1/c-two", "t/p=3/d-two");

      assertThat(data(s3, "t")).containsExactly("t/p=1/a-one", "t/p=2/b-one");
      assertThat(data(s3, "t/p=1")).containsExactly("t/p=1/a-one");
      assertThat(data(s3, "t/p=3")).isEmpty();
      assertThat(s3.list("t/p=1")).containsExactly("a-one");
      assertThat(s3.list("t/p=3")).isEmpty();
      assertThat(names(s3.fs.globStatus(path("t/*/*")))).containsExactly("a-one", "b-one");
      // Whoever knows a name may read the file.
      assertThat(s3.fs.getFileStatus(path("t/p=1/c-two")).getLen()).isEqualTo(4);
    }
  }

  @Test
  void theFilesThatADecidedOverwriteReplacesAreNotListed() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/p=1/a-one", "t/p=2/b-one");
      die(s3, "two", true, "t/p=1/a-one", "t/p=1/c-two");
      assertThat(s3.keys()).contains("t/p=1/a-one", "t/p=2/b-one", "t/p=1/c-two");

      assertThat(data(s3, "t")).containsExactly("t/p=1/c-two");
      assertThat(s3.list("t/p=1")).containsExactly("c-two");
      assertThat(s3.list("t/p=2")).isEmpty();
    }
  }

  @Test
  void fixedNamesOfAnOpenCommitAreNotListedUnlessTheyWereThereBefore() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.put("t/part-0", "t/_SUCCESS");
      die(s3, "two", false, ".decision", "t/part-0", "t/part-1");

      assertThat(data(s3, "t")).containsExactly("t/part-0");
    }
  }

  @Test
  void anIntentThatWasCopiedWithItsTableHidesNothing() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      die(s3, "two", false, ".decision", "t/c-two", "t/d-two");
      for (String key : s3.keys()) {
        String unusedEtag = s3.bucket().copy(key, "u" + key.substring(1), Optional.empty());
      }
      assertThat(data(s3, "t")).isEmpty();
      assertThat(data(s3, "u")).containsExactly("u/c-two", "u/d-two");
      assertThat(requests(s3, "u")).isEqualTo(Map.of("ListObjectsV2", 3L));
    }
  }

  @Test
  void aListingIsOneRequestMoreAndTwoMoreWhileACommitIsOpen() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.put("raw/a", "raw/b");
      assertThat(requests(s3, "raw")).isEqualTo(Map.of("ListObjectsV2", 1L));
      assertThat(requests(s3, "raw/_delta_log")).containsKey("ListObjectsV2");

      append(s3, "one", "t/p=1/a-one", "t/p=2/b-one");
      assertThat(requests(s3, "t")).isEqualTo(Map.of("ListObjectsV2", 2L));
      // A partition for the first time; later the last look serves as the one before.
      assertThat(requests(s3, "t/p=1")).isEqualTo(Map.of("ListObjectsV2", 2L));
      assertThat(requests(s3, "t/p=2")).isEqualTo(Map.of("ListObjectsV2", 2L));

      die(s3, "two", false, ".decision", "t/p=1/c-two");
      assertThat(requests(s3, "t")).isEqualTo(Map.of("ListObjectsV2", 3L, "GetObject", 1L));
      assertThat(requests(s3, "t")).isEqualTo(Map.of("ListObjectsV2", 3L));
    }
  }

  private static Map<String, Long> requests(EmbeddedFs s3, String directory) throws IOException {
    s3.s3.resetCounts();
    try {
      assertThat(s3.listFiles(directory)).isNotNull();
    } catch (FileNotFoundException e) {
      assertThat(directory).contains("_delta_log");
    }
    return s3.s3.counts().requests();
  }

  @Test
  void theSettingShowsWhatIsThere() throws IOException {
    try (EmbeddedFs s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").start(),
            Map.of("penstock.read.committed", "false"))) {
      append(s3, "one", "t/a-one");
      die(s3, "two", false, ".decision", "t/c-two");
      assertThat(requests(s3, "t")).isEqualTo(Map.of("ListObjectsV2", 1L));
      assertThat(data(s3, "t")).containsExactly("t/a-one", "t/c-two");
      assertThat(s3.list("t")).contains("a-one", "c-two");
    }
  }

  @Test
  void withoutTheRightToReadIntentsAllIsShown() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/a-one");
      die(s3, "two", false, ".decision", "t/c-two");
      s3.s3.weather(Weather.CALM.withFaults("ListObjectsV2[t/_]=403"));
      assertThat(data(s3, "t")).containsExactly("t/a-one", "t/c-two");
      assertThat(requests(s3, "t")).isEqualTo(Map.of("ListObjectsV2", 1L));
    }
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/a-one");
      die(s3, "two", false, ".decision", "t/c-two");
      s3.s3.weather(Weather.CALM.withFaults("GetObject[t/_]=403"));
      // The name of an append's intent has the job's id in it.
      assertThat(data(s3, "t")).containsExactly("t/a-one");
    }
  }

  @Test
  void aDamagedIntentFailsNoRead() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/a-one");
      die(s3, "two", false, ".decision", "t/c-two");
      damageIntents(s3);
      assertThat(data(s3, "t")).containsExactly("t/a-one");
    }
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      die(s3, "two", false, ".decision", "t/part-0");
      damageIntents(s3);
      assertThat(data(s3, "t")).containsExactly("t/part-0");
    }
  }

  private static void damageIntents(EmbeddedFs s3) throws IOException {
    for (String key : s3.keys()) {
      if (key.endsWith(".append") || key.endsWith(".alone")) {
        s3.bucket().put(key, Body.ofBytes(new byte[] {1, 2}), Condition.NONE);
      }
    }
  }

  @Test
  void aFileThatSomebodyWritesLaterUnderAHiddenNameIsListed() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.put("t/data.csv", "t/more.csv", "t/_SUCCESS");
      die(s3, "two", true, "DELETE_ALL t/data.csv", "t/c-two");
      assertThat(data(s3, "t")).containsExactly("t/c-two");
      SystemTime.INSTANCE.sleep(Duration.ofMillis(1100)); // Stores tell times in seconds.
      s3.put("t/data.csv");
      assertThat(data(s3, "t")).containsExactly("t/c-two", "t/data.csv");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aListingThatIsTooLongToKeepIsListedToItsEnd() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      for (int i = 0; i < 2500; i++) {
        s3.put("t/f-%04d".formatted(i));
      }
      StoreStack stack = ((PenstockFileSystem) s3.fs).stack();
      FlatListing.Pages pages =
          new CommittedListing(stack, new Tree(stack.store()), 1500).pages("t/");
      List<String> keys = new ArrayList<>();
      for (var page = pages.next(); !page.isEmpty(); page = pages.next()) {
        page.forEach(object -> keys.add(object.key()));
      }
      assertThat(keys).hasSize(2500).startsWith("t/f-0000").endsWith("t/f-2499");
    }
  }

  @Test
  void aPartitionColumnMayBeginWithAnUnderscore() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      append(s3, "one", "t/_day=1/a-one");
      die(s3, "two", false, ".decision", "t/_day=1/c-two");
      assertThat(s3.listFiles("t/_day=1")).containsExactly("t/_day=1/a-one");
    }
  }

  private static List<String> names(FileStatus[] found) {
    return Arrays.stream(found).map(status -> status.getPath().getName()).toList();
  }
}
