/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.config.Settings;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.time.VirtualTime;
import io.penstock.core.upload.InlineBudget;
import io.penstock.core.upload.PendingWriter;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JobsTest {
  private static final Segment FIRST = new Segment("job", "0");
  private static final Segment TWIN = new Segment("job", "1");

  private final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final FaultyStore store = new FaultyStore(bare);
  private final Jobs jobs = new Jobs();
  private final Uploader uploader =
      new Uploader(
          store, Runnable::run, UploadConfig.from(Settings.of(Map.of())), new UploadRoom());

  private PendingWriter create(Segment segment, String key) throws IOException {
    PendingWriter writer = uploader.writePending(key, "job");
    jobs.add(segment, new PendingFile("lake", key, writer));
    return writer;
  }

  private void write(Segment segment, String key, int size) throws IOException {
    try (PendingWriter writer = create(segment, key)) {
      writer.write(new byte[size]);
    }
  }

  /** Writes a file whose parts are sent when the caller runs the work. */
  private PendingWriter writeSlowly(String key, Queue<Runnable> later) throws IOException {
    Uploader slow =
        new Uploader(store, later::add, UploadConfig.from(Settings.of(Map.of())), new UploadRoom());
    PendingWriter writer = slow.writePending(key, "job");
    jobs.add(FIRST, new PendingFile("lake", key, writer));
    writer.write(1);
    writer.close();
    return writer;
  }

  private List<UploadsPage.Listed> uploads() {
    return bare.listUploads("", Optional.empty()).uploads();
  }

  @Test
  void drainHandsOverTheUploadsInTheOrderOfTheirCreation() throws IOException {
    write(FIRST, "t/b", 2);
    write(FIRST, "t/a", 3);

    List<TaskFile> drained = jobs.drain(FIRST);

    assertThat(drained).extracting(upload -> upload.key()).containsExactly("t/b", "t/a");
    assertThat(drained).extracting(upload -> upload.sizeBytes()).containsExactly(2L, 3L);
    assertThat(jobs.drain(FIRST)).isEmpty();
    assertThat(uploads()).hasSize(2);
  }

  @Test
  void drainWaitsForThePartsThatAreUnderWay() throws Exception {
    Queue<Runnable> later = new ArrayDeque<>();
    writeSlowly("t/a", later);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      CompletableFuture<List<TaskFile>> drained =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return jobs.drain(FIRST);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              },
              thread);
      assertThat(drained).isNotDone();
      while (!later.isEmpty()) {
        later.remove().run();
      }
      assertThat(drained.get(30, TimeUnit.SECONDS)).hasSize(1);
    } finally {
      thread.shutdownNow();
    }
  }

  /** Runs in another thread of the task while its uploads are awaited. */
  @FunctionalInterface
  private interface Meanwhile {
    void run() throws IOException;
  }

  private void awaitStored(Meanwhile meanwhile) throws Exception {
    Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    PendingWriter writer = writeSlowly("t/slow", later);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> {
              while (writer.pending().getNumberOfDependents() == 0) {
                Thread.onSpinWait(); // until the attempt waits for it
              }
              try {
                meanwhile.run();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              } finally {
                later.forEach(Runnable::run);
              }
            });
    try {
      jobs.awaitStored(FIRST);
    } finally {
      done.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aFileThatIsDeletedMeanwhileIsNotWaitedFor() throws Exception {
    write(FIRST, "t/kept", 2);
    awaitStored(() -> jobs.discard(FIRST, "lake", "t/slow"));
    assertThat(jobs.drain(FIRST)).extracting(file -> file.key()).containsExactly("t/kept");
  }

  @Test
  void aFileThatIsWrittenAnewMeanwhileIsHandedOver() throws Exception {
    awaitStored(() -> write(FIRST, "t/slow", 7));
    assertThat(jobs.drain(FIRST)).extracting(file -> file.sizeBytes()).containsExactly(7L);
  }

  @Test
  void anAttemptThatIsAbortedMeanwhileMayNotCommit() {
    assertThatThrownBy(() -> awaitStored(() -> jobs.abort(FIRST)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("t/slow was dropped");
  }

  /** Hadoop's LocalJobRunner aborts no task. */
  @Test
  void nothingIsLeftOfAnAttemptWhoseFilesCannotAllBeStored() throws IOException {
    write(FIRST, "t/a", 2);
    create(FIRST, "t/open").write(new byte[40 << 20]);

    assertThatThrownBy(() -> jobs.awaitStored(FIRST)).hasMessageContaining("t/open");

    assertThat(uploads()).isEmpty();
    assertThat(jobs.drain(FIRST)).isEmpty();
    assertThat(jobs.attemptsWithFiles()).isZero();
  }

  @Test
  void whatWasAwaitedIsStillHandedOver() throws IOException {
    write(FIRST, "t/a", 2);
    jobs.awaitStored(FIRST);
    jobs.awaitStored(FIRST);
    assertThat(jobs.drain(FIRST)).hasSize(1);
    jobs.awaitStored(FIRST);
  }

  @Test
  void twoAttemptsDoNotSeeEachOther() throws IOException {
    write(FIRST, "t/a", 2);
    write(TWIN, "t/a", 5);
    write(TWIN, "t/b", 5);

    assertThat(jobs.find(FIRST, "lake", "t/a").orElseThrow().sizeBytes()).isEqualTo(2);
    assertThat(jobs.find(FIRST, "lake", "t/b")).isEmpty();
    assertThat(jobs.find(FIRST, "other", "t/a")).isEmpty();
    assertThat(jobs.under(FIRST, "lake", "t/")).hasSize(1);
    assertThat(jobs.under(TWIN, "lake", "t/")).hasSize(2);
    assertThat(jobs.under(TWIN, "lake", "u/")).isEmpty();
    jobs.abort(TWIN);
    assertThat(jobs.drain(FIRST)).hasSize(1);
    assertThat(uploads()).hasSize(1);
  }

  @Test
  void abortDropsEveryUploadOfTheAttempt() throws IOException {
    write(FIRST, "t/a", 2);
    create(FIRST, "t/b").write(new byte[40 << 20]);

    jobs.abort(FIRST);
    jobs.abort(FIRST);

    assertThat(uploads()).isEmpty();
    assertThat(jobs.drain(FIRST)).isEmpty();
  }

  @Test
  void abortGoesOnAfterAFailureAndTellsIt() throws IOException {
    write(FIRST, "t/a", 2);
    write(FIRST, "t/b", 2);
    store.failBefore(Operation.ABORT_UPLOAD, 1, Kind.SERVER_ERROR);

    assertThatThrownBy(() -> jobs.abort(FIRST)).hasMessageContaining("ABORT_UPLOAD s3://lake/t/a");

    assertThat(uploads()).extracting(listed -> listed.upload().key()).containsExactly("t/a");
  }

  @Test
  void aFileThatWasNeverClosedFailsTheCommitAndAllIsDropped() throws IOException {
    write(FIRST, "t/a", 2);
    create(FIRST, "t/b").write(1);

    assertThatThrownBy(() -> jobs.drain(FIRST))
        .hasMessage("s3://lake/t/b was never closed, so its task cannot commit");

    assertThat(uploads()).isEmpty();
  }

  @Test
  void aPartThatFailedFailsTheCommitAndAllIsDropped() throws IOException {
    store.failBefore(Operation.UPLOAD_PART, 2, Kind.ACCESS_DENIED);
    write(FIRST, "t/a", 2);
    write(FIRST, "t/b", 2);
    write(FIRST, "t/c", 2);

    assertThatThrownBy(() -> jobs.drain(FIRST))
        .hasMessageContaining("UPLOAD_PART s3://lake/t/b: scripted ACCESS_DENIED.");

    assertThat(uploads()).isEmpty();
  }

  @Test
  void aFileCreatedAgainReplacesTheFirst() throws IOException {
    write(FIRST, "t/a", 2);
    write(FIRST, "t/a", 7);

    List<TaskFile> drained = jobs.drain(FIRST);

    assertThat(drained).singleElement().satisfies(u -> assertThat(u.sizeBytes()).isEqualTo(7));
    assertThat(uploads()).hasSize(1);
  }

  @Test
  void aDiscardedFileIsDropped() throws IOException {
    write(FIRST, "t/a", 2);
    assertThat(jobs.discard(FIRST, "lake", "t/a")).isTrue();
    assertThat(jobs.discard(FIRST, "lake", "t/a")).isFalse();
    assertThat(jobs.discard(TWIN, "lake", "t/a")).isFalse();
    assertThat(uploads()).isEmpty();
    assertThat(jobs.drain(FIRST)).isEmpty();
  }

  @Test
  void aFileOfAnAttemptThatHasEndedIsRefusedAndDropped() throws IOException {
    write(FIRST, "t/a", 2);
    jobs.drain(FIRST);
    jobs.abort(TWIN);

    for (Segment segment : List.of(FIRST, TWIN)) {
      PendingWriter late = uploader.writePending("t/late", "job");
      late.write(new byte[40 << 20]);
      assertThatThrownBy(() -> jobs.add(segment, new PendingFile("lake", "t/late", late)))
          .hasMessageContaining("s3://lake/t/late is not written: its task attempt")
          .hasMessageContaining("has been committed or aborted");
    }

    assertThat(jobs.attemptsWithFiles()).isZero();
    assertThat(uploads()).extracting(listed -> listed.upload().key()).containsExactly("t/a");
  }

  @Test
  void anAttemptThatBeginsInTheNameOfAnEndedOneWorks() throws IOException {
    jobs.abort(FIRST);
    jobs.begin(FIRST, InlineBudget.none());
    write(FIRST, "t/a", 2);
    assertThat(jobs.drain(FIRST)).hasSize(1);
  }

  @Test
  void tenThousandAttemptsAreRememberedAndNoMore() throws IOException {
    for (int i = 0; i < 12_000; i++) {
      jobs.abort(new Segment("job", "a" + i));
    }
    assertThat(jobs.endedAttempts()).isEqualTo(10_000);
    assertThat(jobs.attemptsWithFiles()).isZero();
    write(new Segment("job", "a0"), "t/a", 2);
    assertThatThrownBy(() -> write(new Segment("job", "a11999"), "t/b", 2))
        .hasMessageContaining("a11999");
  }

  @Test
  void nothingIsLeftHoweverWritersAndTheEndOfTheirAttemptMeet() throws Exception {
    long seed = 11;
    for (int round = 0; round < 300; round++) {
      Segment segment = new Segment("job", "round" + round);
      meet(segment, new SplittableRandom(seed + round));
      assertThat(jobs.attemptsWithFiles())
          .as("attempts after round %d of seed %d", round, seed)
          .isZero();
      assertThat(uploads()).as("uploads after round %d of seed %d", round, seed).isEmpty();
    }
  }

  /** Three threads write and discard while another ends the attempt. */
  private void meet(Segment segment, SplittableRandom chance) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CyclicBarrier together = new CyclicBarrier(4);
    List<Future<Void>> done = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String key = "t/" + i;
      boolean discards = chance.nextInt(4) == 0;
      done.add(
          threads.submit(
              () -> {
                together.await();
                for (int file = 0; file < 5; file++) {
                  writeUnlessRefused(segment, key + file);
                  if (discards) {
                    jobs.discard(segment, "lake", key + file);
                  }
                }
                return null;
              }));
    }
    boolean commits = chance.nextBoolean();
    done.add(
        threads.submit(
            () -> {
              together.await();
              end(segment, commits);
              return null;
            }));
    threads.shutdown();
    for (Future<Void> each : done) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  private void writeUnlessRefused(Segment segment, String key) {
    try {
      write(segment, key, 1);
    } catch (IOException e) {
      assertThat(e)
          .hasMessageMatching("(?s).*(has been committed or aborted|closed|dropped|was aborted).*");
    }
  }

  private void end(Segment segment, boolean commits) throws IOException {
    if (!commits) {
      jobs.abort(segment);
      return;
    }
    try {
      for (TaskFile upload : jobs.drain(segment)) {
        bare.abortUpload(((TaskUpload) upload).pending().upload());
      }
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("(?s).*(was never closed|was dropped).*");
    }
  }
}
