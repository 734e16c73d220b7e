/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.JobAbort;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobCommitTest {
  private static final String INTENT = "t/_penstock_intent_20260101T000000000Z_job.";

  private final CommitWorld world = new CommitWorld();
  private final FaultyStore store = new FaultyStore(world.store);
  private final JobCommit commit = newCommit();

  private JobCommit newCommit() {
    try {
      return world.commit(store, "job");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<TaskFile> upload(String... keys) throws IOException {
    return world.upload("job", keys);
  }

  @Test
  void anAppendToANewTableAsksForSevenRequestsBesideItsCompletions() throws IOException {
    commit.commit(upload("t/d-job", "t/e-job"), SuccessMarker.JSON);
    assertThat(store.log())
        .containsExactly(
            "PUT " + INTENT + "append",
            "LIST t/_",
            "PUT " + INTENT + "replaces",
            "COMPLETE_UPLOAD t/d-job",
            "COMPLETE_UPLOAD t/e-job",
            "PUT " + INTENT + "decision",
            "LIST " + INTENT,
            "PUT t/_SUCCESS",
            "DELETE_ALL " + INTENT + "replaces",
            "DELETE " + INTENT + "decision");
    assertThat(world.visible()).isEqualTo(Map.of("t/d-job", "job", "t/e-job", "job"));
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void theMarkerOfTheOldDataGoesBeforeTheFirstNewFileAppears() throws IOException {
    world.put("t/a", "old");
    world.put("t/_SUCCESS", "");
    commit.commit(upload("t/d-job"), SuccessMarker.JSON);
    assertThat(store.log())
        .containsExactly(
            "PUT " + INTENT + "append",
            "LIST t/_",
            "PUT " + INTENT + "replaces",
            "DELETE t/_SUCCESS",
            "COMPLETE_UPLOAD t/d-job",
            "PUT " + INTENT + "decision",
            "LIST " + INTENT,
            "PUT t/_SUCCESS",
            "DELETE_ALL " + INTENT + "replaces",
            "DELETE " + INTENT + "decision");
  }

  @Test
  void anOverwriteOfAnAbsentPathIsAloneAndAsksForSevenRequestsBesideItsCompletions()
      throws IOException {
    commit.replace("lake", "t/");
    commit.commit(upload("t/d-job", "t/e-job"), SuccessMarker.JSON);
    assertThat(store.log())
        .containsExactly(
            "PUT " + INTENT + "alone",
            "LIST t/",
            "PUT " + INTENT + "replaces",
            "COMPLETE_UPLOAD t/d-job",
            "COMPLETE_UPLOAD t/e-job",
            "PUT " + INTENT + "decision",
            "LIST " + INTENT,
            "PUT t/_SUCCESS",
            "DELETE_ALL " + INTENT + "replaces");
  }

  @Test
  void oldKeysAreListedInsideTheFenceAndDeletedAfterAllCompletions() throws IOException {
    for (String key : List.of("t/a", "t/b", "t/_SUCCESS", "tt/x", "t")) {
      world.put(key, "old");
    }
    commit.replace("lake", "t/");

    commit.commit(upload("t/d-job", "t/e-job"), SuccessMarker.JSON);

    assertThat(store.log())
        .containsExactly(
            "PUT " + INTENT + "alone",
            "LIST t/",
            "DELETE t/_penstock_intent_20260101T000000000Z_job.probe",
            "PUT " + INTENT + "replaces",
            "DELETE t/_SUCCESS",
            "COMPLETE_UPLOAD t/d-job",
            "COMPLETE_UPLOAD t/e-job",
            "PUT " + INTENT + "decision",
            "LIST " + INTENT,
            "DELETE_ALL t/a",
            "PUT t/_SUCCESS",
            "DELETE_ALL " + INTENT + "replaces");
    assertThat(world.visible())
        .isEqualTo(Map.of("t", "old", "t/d-job", "job", "t/e-job", "job", "tt/x", "old"));
  }

  @Test
  void aJobWithoutFilesThatReplacesNothingLeavesOnlyItsMarker() throws IOException {
    commit.commit(List.of(), SuccessMarker.JSON);
    assertThat(world.visible()).isEmpty();
    assertThat(world.hasMarker()).isTrue();
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void aJobWithoutFilesWritesNoMarkerBesideHalfOfAnotherCommit() throws IOException {
    world.put("t/a", "old");
    JobCommit half = world.commit(new CrashingStore(world.store, 6, false), "half");
    half.replace("lake", "t/");
    assertThatThrownBy(
            () -> half.commit(world.upload("half", "t/d-half", "t/e-half"), SuccessMarker.JSON))
        .isInstanceOf(IOException.class);

    commit.commit(List.of(), SuccessMarker.JSON);

    assertThat(world.visible()).isEqualTo(Map.of("t/d-half", "half", "t/e-half", "half"));
    assertThat(world.hasMarker()).isTrue();
    assertThat(world.time.nowNanos()).isGreaterThan(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void aJobThatWroteNothingAndWantsNoMarkerLeavesADirectory() throws IOException {
    world.put("t/a", "old");
    commit.replace("lake", "t/");
    commit.commit(List.of(), SuccessMarker.NONE);
    assertThat(world.store.list(ListRequest.flat("")).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("t/");
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void theMarkerSaysWhoWroteHowMuch() throws IOException {
    commit.commit(upload("t/d-job", "t/e-job"), SuccessMarker.JSON, OptionalLong.of(7));
    assertThat(world.marker())
        .isEqualTo(
            """
            {"committer":"penstock","job":"job","application":"app-job","host":"host","committed":"2026-01-01T00:00:00Z","commitSeconds":0.000,"files":2,"bytes":6,"rows":7,"requests":12}
            """);
  }

  @Test
  void aSingleKeyIsReplacedWithoutAListing() throws IOException {
    world.put("t/a", "old");
    world.put("t/ab", "old");
    commit.replace("lake", "t/a");
    commit.commit(upload("t/d-job"), SuccessMarker.JSON);
    assertThat(store.log()).contains("DELETE t/a").doesNotContain("LIST t/a");
    assertThat(world.visible()).isEqualTo(Map.of("t/ab", "old", "t/d-job", "job"));
  }

  @Test
  void whatLiesBelowALevelThatIsReplacedStays() throws IOException {
    world.put("t/a", "old");
    world.put("t/p=1/b", "old");
    commit.replaceLevel("lake", "t/");
    commit.commit(upload("t/d-job"), SuccessMarker.JSON);
    assertThat(world.visible()).isEqualTo(Map.of("t/p=1/b", "old", "t/d-job", "job"));
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
      world.put("t/old-" + i, "old");
    }
    commit.replace("lake", "t/");
    commit.commit(upload("t/new-job"), SuccessMarker.JSON);
    assertThat(world.visible()).isEqualTo(Map.of("t/new-job", "job"));
    assertThat(store.requests().get(Operation.DELETE_ALL)).isEqualTo(4);
  }

  @Test
  void aFailureOfAnyRequestLeavesTheOldDataOrAllOfTheNew() throws IOException {
    Map<String, String> old = Map.of("t/a", "old", "t/b", "old");
    Map<String, String> all = Map.of("t/d-job", "job", "t/e-job", "job");
    for (boolean acted : new boolean[] {false, true}) {
      for (int step = 1; step <= 12; step++) {
        String name = "step %d, store acted: %s".formatted(step, acted);
        JobCommitTest run = new JobCommitTest();
        run.world.put("t/a", "old");
        run.world.put("t/b", "old");
        run.world.put("t/_SUCCESS", "");
        List<TaskFile> uploads = run.upload("t/d-job", "t/e-job");
        run.commit.replace("lake", "t/");
        run.store.failStep(step, Kind.SERVER_ERROR, acted);

        boolean isFailed = false;
        try {
          run.commit.commit(uploads, SuccessMarker.JSON);
        } catch (IOException e) {
          isFailed = true;
          run.abort(uploads);
        }

        Map<String, String> visible = run.world.visible();
        if (step == 10) {
          // The new data is whole; the old beside it goes with the intent that is left.
          assertThat(isFailed).as(name).isTrue();
          assertThat(visible).as(name).containsAllEntriesOf(all);
          run.world.recover(run.world.store, Direction.BACK);
          assertThat(run.world.visible()).as(name).isEqualTo(all);
        } else {
          assertThat(visible).as(name).isEqualTo(isFailed ? old : all);
        }
        assertThat(run.world.hasMarker()).as(name).isEqualTo(step != 11 || acted);
        assertThat(run.world.pending()).as(name).isEmpty();
      }
    }
  }

  private void abort(List<TaskFile> uploads) {
    new JobAbort(bucket -> store, Runnable::run).abort(uploads);
  }

  private JobCommit interruptedAt(Operation when, String key) throws IOException {
    return world.commit(
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation operation, String at, long sentBytes, Call<T> call)
              throws IOException {
            T answer = call.run();
            if (operation == when && at.equals(key)) {
              Thread.currentThread().interrupt();
            }
            return answer;
          }
        },
        "job");
  }

  @Test
  void anInterruptOnceAllFilesAreVisibleWaitsForTheEnd() throws IOException {
    world.put("t/a", "old");
    List<TaskFile> uploads = upload("t/d-job", "t/e-job");
    JobCommit interrupted = interruptedAt(Operation.PUT, INTENT + "decision");
    interrupted.replace("lake", "t/");

    interrupted.commit(uploads, SuccessMarker.JSON);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.visible()).isEqualTo(Map.of("t/d-job", "job", "t/e-job", "job"));
    assertThat(world.hasMarker()).isTrue();
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void anInterruptBeforeThatUndoesTheCommit() throws IOException {
    world.put("t/a", "old");
    List<TaskFile> uploads = upload("t/d-job", "t/e-job");
    JobCommit interrupted = interruptedAt(Operation.COMPLETE_UPLOAD, "t/d-job");
    interrupted.replace("lake", "t/");

    assertThatThrownBy(() -> interrupted.commit(uploads, SuccessMarker.JSON))
        .isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.visible()).isEqualTo(Map.of("t/a", "old"));
    assertThat(world.pending()).isEmpty();
    assertThat(world.intentObjects()).isEmpty();
  }

  @Test
  void nothingMoreIsCompletedOnceOneHasFailedAndOnlyWhatMayBeVisibleIsDeleted() throws IOException {
    List<TaskFile> uploads = upload("t/a-job", "t/b-job", "t/c-job", "t/d-job");
    store.failBefore(Operation.COMPLETE_UPLOAD, 2, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> commit.commit(uploads, SuccessMarker.JSON))
        .hasMessage("COMPLETE_UPLOAD s3://lake/t/b-job: scripted ACCESS_DENIED.");

    assertThat(store.log().subList(3, store.log().size()))
        .containsExactly(
            "COMPLETE_UPLOAD t/a-job",
            "COMPLETE_UPLOAD t/b-job",
            "PUT " + INTENT + "decision",
            "ABORT_UPLOAD t/b-job",
            "ABORT_UPLOAD t/c-job",
            "ABORT_UPLOAD t/d-job",
            "DELETE_ALL t/a-job",
            "LIST t/_",
            "DELETE_ALL " + INTENT + "replaces");
    assertThat(world.visible()).isEmpty();
    assertThat(world.pending()).isEmpty();
  }

  @Test
  void aCommitThatCannotBeUndoneSaysHowManyFilesAreVisibleAndWhatMendsIt() throws IOException {
    List<TaskFile> uploads = upload("t/a-job", "t/b-job", "t/c-job");
    store
        .failBefore(Operation.COMPLETE_UPLOAD, 3, Kind.ACCESS_DENIED)
        .failAlways(Operation.DELETE_ALL, Kind.SERVER_ERROR);

    assertThatThrownBy(() -> commit.commit(uploads, SuccessMarker.JSON))
        .hasMessageContaining("t/c-job")
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining("up to 3 of 3 files are visible")
                    .hasMessageContaining(
                        "Do not run the job again until the commit has been undone")
                    .hasMessageContaining("penstock recover s3://lake/t/ --write"));

    world.recover(world.store, Direction.FORWARD);
    assertThat(world.visible()).isEmpty();
  }

  @Test
  void aCompletionThatFailedForGoodAfterTheStoreActedIsRolledBackToo() throws IOException {
    world.put("t/a", "old");
    List<TaskFile> uploads = upload("t/d-job", "t/e-job");
    commit.replace("lake", "t/");
    // As when the credentials expire, or a proxy refuses, after an attempt that was done.
    store.failAfter(Operation.COMPLETE_UPLOAD, 2, Kind.EXPIRED_CREDENTIALS);

    assertThatThrownBy(() -> commit.commit(uploads, SuccessMarker.JSON))
        .hasMessageContaining("EXPIRED_CREDENTIALS");

    assertThat(world.visible()).isEqualTo(Map.of("t/a", "old"));
  }

  @Test
  void anObjectThatWasThereUnderAFixedNameIsNotDeletedByARollback() throws IOException {
    world.put("t/part-0", "old");
    List<TaskFile> uploads = upload("t/part-0", "t/part-1", "t/part-2");
    store.failBefore(Operation.COMPLETE_UPLOAD, 3, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> commit.commit(uploads, SuccessMarker.JSON))
        .hasMessageContaining("ACCESS_DENIED");

    assertThat(world.visible()).containsOnlyKeys("t/part-0");
  }

  @Test
  void abortDropsTheUploadsAndShowsNothing() throws IOException {
    world.put("t/a", "old");
    abort(upload("t/d-job", "t/e-job"));
    assertThat(world.visible()).isEqualTo(Map.of("t/a", "old"));
    assertThat(world.pending()).isEmpty();
  }

  @Test
  void abortGoesOnAfterAFailureAndDoesNotThrow() throws IOException {
    List<TaskFile> uploads = upload("t/d-job", "t/e-job");
    store.failBefore(Operation.ABORT_UPLOAD, 1, Kind.ACCESS_DENIED);
    assertThatCode(() -> abort(uploads)).doesNotThrowAnyException();
    assertThat(store.log()).containsExactly("ABORT_UPLOAD t/d-job", "ABORT_UPLOAD t/e-job");
  }

  @Test
  void aJobMayWriteToSeveralBuckets() throws IOException {
    InMemoryStore second = new InMemoryStore("pond", world.time);
    second.put("u/old", Body.empty(), Condition.NONE);
    Upload upload = second.createUpload("u/new-job");
    Part part = second.uploadPart(upload, 1, Body.empty());
    JobCommit both =
        world.commit(
            bucket -> bucket.equals("pond") ? second : store, Output.of("lake", "t"), "job");
    both.replace("pond", "u/");
    List<TaskFile> uploads = new ArrayList<>(upload("t/d-job"));
    uploads.add(new TaskUpload("pond", new PendingUpload(upload, List.of(part))));

    both.commit(uploads, SuccessMarker.JSON);

    assertThat(new TreeMap<>(world.visible())).containsOnlyKeys("t/d-job");
    assertThat(second.list(ListRequest.flat("")).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("u/new-job");
  }

  @Test
  void theListsOfAJobThatIsStillAtWorkAreNotReplaced() throws IOException {
    world.put("t/_penstock_job_1/task_0", "list");
    commit.replace("lake", "t/");
    commit.commit(upload("t/d-job"), SuccessMarker.JSON);
    assertThat(world.store.head("t/_penstock_job_1/task_0").sizeBytes()).isEqualTo(4);
  }
}
