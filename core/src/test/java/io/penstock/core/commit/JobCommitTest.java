/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.Upload;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class JobCommitTest {
  /** The content of an old object is one byte, that of a new one two. */
  private static final Map<String, Long> OLD = Map.of("t/a", 1L, "t/b", 1L, "t/c", 1L);

  private static final Map<String, Long> NEW = Map.of("t/b", 2L, "t/d", 2L, "t/e", 2L);

  private final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final FaultyStore store = new FaultyStore(bare);
  private final JobCommit commit = new JobCommit(bucket -> store, Runnable::run);

  private void putOld(String... keys) throws IOException {
    for (String key : keys) {
      bare.put(key, Body.ofBytes(new byte[1]), Condition.NONE);
    }
  }

  private List<TaskUpload> upload(String... keys) throws IOException {
    List<TaskUpload> uploads = new ArrayList<>();
    for (String key : keys) {
      Upload upload = bare.createUpload(key);
      Part part = bare.uploadPart(upload, 1, Body.ofBytes(new byte[2]));
      uploads.add(new TaskUpload("lake", new PendingUpload(upload, List.of(part))));
    }
    return uploads;
  }

  private Map<String, Long> visible() {
    Map<String, Long> sizes = new TreeMap<>();
    for (ObjectMeta object : bare.list(ListRequest.flat("")).objects()) {
      sizes.put(object.key(), object.sizeBytes());
    }
    return sizes;
  }

  private boolean anyUploadPending() {
    return !bare.listUploads("", Optional.empty()).uploads().isEmpty();
  }

  @Test
  void anAppendCompletesAndAsksNothingElse() throws IOException {
    putOld("t/a");
    commit.commit(upload("t/d", "t/e"));
    assertThat(store.log()).containsExactly("COMPLETE_UPLOAD t/d", "COMPLETE_UPLOAD t/e");
    assertThat(visible()).isEqualTo(Map.of("t/a", 1L, "t/d", 2L, "t/e", 2L));
  }

  @Test
  void aJobWithoutFilesCommits() throws IOException {
    commit.commit(List.of());
    assertThat(store.log()).isEmpty();
  }

  @Test
  void oldKeysAreListedBeforeAnyCompletionAndDeletedAfterAll() throws IOException {
    putOld("t/a", "t/b", "t/c", "tt/x", "t");
    commit.replace("lake", "t/");

    commit.commit(upload("t/b", "t/d", "t/e"));

    assertThat(store.log())
        .containsExactly(
            "LIST t/",
            "COMPLETE_UPLOAD t/b",
            "COMPLETE_UPLOAD t/d",
            "COMPLETE_UPLOAD t/e",
            "DELETE_ALL t/a");
    assertThat(visible()).isEqualTo(Map.of("t", 1L, "t/b", 2L, "t/d", 2L, "t/e", 2L, "tt/x", 1L));
  }

  @Test
  void aSingleKeyIsReplacedWithoutAListing() throws IOException {
    putOld("t/a", "t/ab");
    commit.replace("lake", "t/a");
    commit.commit(upload("t/d"));
    assertThat(store.log()).containsExactly("COMPLETE_UPLOAD t/d", "DELETE t/a");
    assertThat(visible()).isEqualTo(Map.of("t/ab", 1L, "t/d", 2L));
  }

  @Test
  void theRootOfABucketIsNeverReplaced() {
    assertThatThrownBy(() -> commit.replace("lake", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s3://lake");
  }

  @Test
  void moreThanAThousandOldKeysAreAllDeleted() throws IOException {
    for (int i = 0; i < 2500; i++) {
      putOld("t/old-" + i);
    }
    commit.replace("lake", "t/");
    commit.commit(upload("t/new"));
    assertThat(visible()).isEqualTo(Map.of("t/new", 2L));
    assertThat(store.requests())
        .isEqualTo(
            Map.of(Operation.LIST, 3, Operation.COMPLETE_UPLOAD, 1, Operation.DELETE_ALL, 3));
  }

  /** What a job that failed leaves: the old data, except keys that it had overwritten by then. */
  private static void assertOldData(String step, Map<String, Long> visible) {
    Map<String, Long> overwrittenAtMost = new TreeMap<>(OLD);
    overwrittenAtMost.put("t/b", visible.getOrDefault("t/b", 0L));
    assertThat(visible).as(step).isEqualTo(overwrittenAtMost);
    assertThat(visible.get("t/b")).as(step).isIn(1L, 2L);
  }

  @Test
  void aFailureAtAnyStepLeavesTheOldDataOrAllOfTheNew() throws IOException {
    for (boolean acted : new boolean[] {false, true}) {
      for (int step = 1; step <= 5; step++) {
        String name = "step %d, store acted: %s".formatted(step, acted);
        JobCommitTest run = new JobCommitTest();
        run.putOld("t/a", "t/b", "t/c");
        List<TaskUpload> uploads = run.upload("t/b", "t/d", "t/e");
        run.commit.replace("lake", "t/");
        run.store.failStep(step, Kind.SERVER_ERROR, acted);

        assertThatThrownBy(() -> run.commit.commit(uploads))
            .as(name)
            .isInstanceOf(IOException.class);
        run.commit.abort(uploads);

        if (step < 5) {
          assertOldData(name, run.visible());
        } else {
          // The new data is whole; only old files may be left beside it.
          assertThat(run.visible()).as(name).containsAllEntriesOf(NEW);
        }
        assertThat(run.anyUploadPending()).as(name).isFalse();
      }
    }
  }

  @Test
  void anInterruptedCommitIsRolledBack() throws Exception {
    putOld("t/a");
    List<TaskUpload> uploads = upload("t/d", "t/e", "t/f", "t/g");
    Thread committing = Thread.currentThread();
    ObjectStore interrupting =
        new StoreWrapper(store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (operation == Operation.COMPLETE_UPLOAD && key.equals("t/e")) {
              committing.interrupt();
              while (committing.isInterrupted()) {
                Thread.onSpinWait(); // It waits for this request, and takes the interrupt there.
              }
            }
            return call.run();
          }
        };
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      JobCommit interrupted = new JobCommit(bucket -> interrupting, pool::execute);
      interrupted.replace("lake", "t/");

      assertThatThrownBy(() -> interrupted.commit(uploads))
          .isInstanceOf(InterruptedIOException.class);
      interrupted.abort(uploads);

      assertThat(Thread.interrupted()).isTrue();
      assertThat(visible()).isEqualTo(Map.of("t/a", 1L));
      assertThat(anyUploadPending()).isFalse();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void anInterruptAfterTheLastCompletionLeavesNoOldData() throws IOException {
    putOld("t/a");
    List<TaskUpload> uploads = upload("t/d", "t/e");
    commit.replace("lake", "t/");
    Thread.currentThread().interrupt();

    commit.commit(uploads);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(visible()).isEqualTo(Map.of("t/d", 2L, "t/e", 2L));
  }

  @Test
  void aFailedCompletionIsTheFailureThatIsTold() throws IOException {
    List<TaskUpload> uploads = upload("t/d", "t/e");
    store
        .failBefore(Operation.COMPLETE_UPLOAD, 2, Kind.ACCESS_DENIED)
        .failBefore(Operation.DELETE, 1, Kind.SERVER_ERROR);

    assertThatThrownBy(() -> commit.commit(uploads))
        .hasMessage("COMPLETE_UPLOAD s3://lake/t/e: scripted ACCESS_DENIED.")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void nothingMoreIsCompletedOnceOneHasFailedAndWhatIsVisibleGoesFirst() throws IOException {
    List<TaskUpload> uploads = upload("t/a", "t/b", "t/c", "t/d");
    store.failBefore(Operation.COMPLETE_UPLOAD, 2, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> commit.commit(uploads)).hasMessageContaining("t/b");

    assertThat(store.log())
        .containsExactly(
            "COMPLETE_UPLOAD t/a",
            "COMPLETE_UPLOAD t/b",
            "HEAD t/b",
            "DELETE t/a",
            "ABORT_UPLOAD t/b",
            "ABORT_UPLOAD t/c",
            "ABORT_UPLOAD t/d");
    assertThat(visible()).isEmpty();
    assertThat(anyUploadPending()).isFalse();
  }

  @Test
  void aCompletionThatFailedForGoodAfterTheStoreActedIsRolledBackToo() throws IOException {
    putOld("t/a");
    List<TaskUpload> uploads = upload("t/d", "t/e");
    commit.replace("lake", "t/");
    // As when the credentials expire, or a proxy refuses, after an attempt that was done.
    store.failAfter(Operation.COMPLETE_UPLOAD, 2, Kind.EXPIRED_CREDENTIALS);

    assertThatThrownBy(() -> commit.commit(uploads)).hasMessageContaining("EXPIRED_CREDENTIALS");

    assertThat(visible()).isEqualTo(Map.of("t/a", 1L));
  }

  @Test
  void abortDropsTheUploadsAndShowsNothing() throws IOException {
    putOld("t/a");
    List<TaskUpload> uploads = upload("t/d", "t/e");
    commit.abort(uploads);
    assertThat(visible()).isEqualTo(Map.of("t/a", 1L));
    assertThat(anyUploadPending()).isFalse();
  }

  @Test
  void abortGoesOnAfterAFailureAndDoesNotThrow() throws IOException {
    List<TaskUpload> uploads = upload("t/d", "t/e");
    store.failBefore(Operation.ABORT_UPLOAD, 1, Kind.ACCESS_DENIED);
    assertThatCode(() -> commit.abort(uploads)).doesNotThrowAnyException();
    assertThat(store.log()).containsExactly("ABORT_UPLOAD t/d", "ABORT_UPLOAD t/e");
  }

  @Test
  void aJobMayWriteToSeveralBuckets() throws IOException {
    InMemoryStore second =
        new InMemoryStore("pond", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
    second.put("u/old", Body.empty(), Condition.NONE);
    Upload upload = second.createUpload("u/new");
    Part part = second.uploadPart(upload, 1, Body.empty());
    JobCommit both = new JobCommit(bucket -> bucket.equals("pond") ? second : store, Runnable::run);
    both.replace("pond", "u/");
    List<TaskUpload> uploads = new ArrayList<>(upload("t/d"));
    uploads.add(new TaskUpload("pond", new PendingUpload(upload, List.of(part))));

    both.commit(uploads);

    assertThat(visible()).containsOnlyKeys("t/d");
    assertThat(second.list(ListRequest.flat("")).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("u/new");
  }
}
