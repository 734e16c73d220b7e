/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.recover;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.DyingCommit;
import io.penstock.cli.Ran;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecoverCommandTest {
  /** Its clock stands in the past, so that what was left there is long dead. */
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));

  private final InMemoryStore store = new InMemoryStore("lake", time);
  private EmbeddedS3 s3;

  @BeforeEach
  void start() throws IOException {
    s3 = EmbeddedS3.builder().stores(bucket -> store).bucket("lake").start();
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  /** A process dies when it has completed so many of its three uploads. */
  private void die(int completed, boolean overwrites) throws IOException {
    time.advance(Duration.ofHours(1));
    store.put("t/old", Body.ofBytes(new byte[1]), Condition.NONE);
    DyingCommit dying = new DyingCommit(store, time);
    List<TaskFile> uploads = new ArrayList<>();
    for (String key : List.of("t/a-job-7", "t/b-job-7", "t/c-job-7")) {
      uploads.add(dying.upload(key, 2));
    }
    if (overwrites) {
      dying.overwrite("job-7", uploads, completed);
    } else {
      dying.append("job-7", uploads, completed);
    }
  }

  private List<String> dataKeys() {
    return store.list(ListRequest.flat("t/")).objects().stream()
        .map(ObjectMeta::key)
        .filter(key -> !key.startsWith("t/_"))
        .toList();
  }

  private Ran recover(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "recover",
                "s3://lake/t",
                "--endpoint=" + s3.endpoint(),
                "--conf=spark.hadoop.penstock.credentials=anonymous"));
    arguments.addAll(List.of(more));
    return Ran.penstock(arguments.toArray(String[]::new));
  }

  @Test
  void aTableWithoutUnfinishedCommitsIsWell() {
    Ran ran = recover();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).isEqualTo("s3://lake/t/\n  No commit is unfinished.\n");
  }

  @Test
  void whatWouldBeDoneIsShownAndNothingIsDone() throws IOException {
    die(1, true);

    Ran ran = recover();

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out())
        .contains(
            "job job-7 of local-1 on driver (pid 42)",
            "Others wait for it. 1 of its 3 files are visible (6 B in all)",
            "It goes forward: all its files become visible",
            "Nothing was done. To do it, add --write.");
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    assertThat(dataKeys()).containsExactly("t/a-job-7", "t/old");
  }

  @Test
  void anOverwriteIsFinished() throws IOException {
    die(1, true);
    Ran ran = recover("--write");
    assertThat(ran.out()).contains("job-7: committed. All its files are visible.");
    assertThat(ran.exitCode()).isZero();
    assertThat(dataKeys()).containsExactly("t/a-job-7", "t/b-job-7", "t/c-job-7");
    assertThat(recover().exitCode()).isZero();
  }

  @Test
  void anAppendIsUndoneUnlessItIsToGoForward() throws IOException {
    die(2, false);
    Ran ran = recover("--write");
    assertThat(ran.out()).contains("job-7: rolled back. Run the job again.");
    assertThat(dataKeys()).containsExactly("t/old");

    die(2, false);
    recover("--write", "--forward");
    assertThat(dataKeys()).containsExactly("t/a-job-7", "t/b-job-7", "t/c-job-7", "t/old");
  }

  @Test
  void anOverwriteOfWhichTheStoreHasLostAnUploadIsUndone() throws IOException {
    die(2, true);
    for (var listed : store.listUploads("", Optional.empty()).uploads()) {
      store.abortUpload(listed.upload());
    }

    Ran ran = recover("--write");
    assertThat(ran.out()).contains("job-7: rolled back. Run the job again.");
    assertThat(ran.exitCode()).isZero();
    assertThat(dataKeys()).containsExactly("t/old");
  }

  /** An overwrite of three small files dies when one of them is there. */
  private void dieBetweenSmallFiles() throws IOException {
    store.put("t/old", Body.ofBytes(new byte[1]), Condition.NONE);
    DyingCommit dying = new DyingCommit(store, time);
    List<TaskFile> files = new ArrayList<>();
    for (String key : List.of("t/a-job-7", "t/b-job-7", "t/c-job-7")) {
      files.add(dying.inline(key, 2));
    }
    dying.overwrite("job-7", files, 1);
  }

  @Test
  void anOverwriteWhoseSmallFilesAreLostIsUndone() throws IOException {
    dieBetweenSmallFiles();
    assertThat(recover().out()).contains("It goes back");
    assertThat(recover("--write").out()).contains("job-7: rolled back. Run the job again.");
    assertThat(dataKeys()).containsExactly("t/old");
  }

  @Test
  void whoWantsToGoForwardIsToldHowManyFilesAreLost() throws IOException {
    dieBetweenSmallFiles();
    Ran shown = recover("--forward");
    assertThat(shown.unwrapped()).contains("It goes forward without 2 of its 3 files");
    assertThat(shown.lines()).allMatch(line -> line.length() <= 80);

    Ran ran = recover("--forward", "--write");
    assertThat(ran.unwrapped())
        .contains("job-7: committed without 2 of its 3 files, which are not there.")
        .doesNotContain("All its files");
    assertThat(dataKeys()).containsExactly("t/a-job-7");
  }

  @Test
  void anIntentThatIsCutShortIsNamedWithWhatToDo() throws IOException {
    die(1, true);
    String intent =
        store.list(ListRequest.flat("t/_penstock_intent_")).objects().stream()
            .map(ObjectMeta::key)
            .filter(key -> key.endsWith(".alone"))
            .findFirst()
            .orElseThrow();
    byte[] half = store.get(intent, new ByteRange(0, 100), Optional.empty()).bytes();
    store.put(intent, Body.ofBytes(half), Condition.NONE);

    for (String way : List.of("--write", "--back", "--forward")) {
      Ran ran = recover(way);
      assertThat(ran.exitCode()).isEqualTo(1);
      assertThat(ran.err())
          .contains(
              intent, "cut short. Delete this object once the job that it belongs to has ended");
      assertThat(ran.err().lines()).hasSize(1);
    }
    assertThat(dataKeys()).containsExactly("t/a-job-7", "t/old");
  }

  @Test
  void aPathThatIsNoBucketIsRefused() {
    Ran ran = Ran.penstock("recover", "/tmp/table");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint())
        .contains("/tmp/table is no path in a bucket; write s3://BUCKET/PREFIX");
  }
}
