/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.config.Settings;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.time.VirtualTime;
import io.penstock.core.upload.InlineBudget;
import io.penstock.core.upload.PendingWriter;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JobEndsTest {
  private static final String JOB = "a1b2c3";

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final FaultyStore faulty = new FaultyStore(bare);
  private final List<Runnable> later = new ArrayList<>();
  private final Jobs jobs = new Jobs(later::add);
  private final LayeredStore store =
      LayeredStores.retrying(
          faulty,
          RetryConfig.from(Settings.of(Map.of())),
          EndpointHealth.alone(),
          jobs::creationLost,
          time,
          new SplittableRandom(7));

  private Segment attempt(String name) {
    return new Segment(JOB, name);
  }

  private void write(Segment segment, String key) throws IOException {
    PendingFile file = pendingFile(key);
    jobs.add(segment, file);
    file.writer().write(7);
    file.writer().close();
  }

  private PendingFile pendingFile(String key) throws IOException {
    PendingWriter writer =
        new Uploader(
                store, Runnable::run, UploadConfig.from(Settings.of(Map.of())), new UploadRoom())
            .writePending(key, "job");
    return new PendingFile("lake", key, writer);
  }

  private List<String> pendingKeys() {
    return bare.listUploads("", Optional.empty()).uploads().stream()
        .map(UploadsPage.Listed::upload)
        .map(Upload::key)
        .toList();
  }

  @Test
  void whatATaskHandedOverToAJobThatWasAbortedIsAborted() throws IOException {
    write(attempt("1"), "t/part-0-" + JOB);
    jobs.drain(attempt("1")); // the message does not reach the job
    Upload foreign = bare.createUpload("t/part-0-other");
    assertThat(jobs.openJobs()).containsExactly(JOB);

    jobs.ended(JOB, JobOutcome.ABORTED, List.of());

    assertThat(pendingKeys()).containsExactly(foreign.key());
    assertThat(jobs.openJobs()).isEmpty();
  }

  @Test
  void whatTheJobItselfAbortedIsNotAbortedAgain() throws IOException {
    write(attempt("1"), "t/part-0-" + JOB);
    List<TaskFile> known = jobs.drain(attempt("1"));
    jobs.ended(JOB, JobOutcome.ABORTED, known);
    assertThat(faulty.requests()).doesNotContainKey(Operation.ABORT_UPLOAD);
  }

  @Test
  void aTaskCannotCommitOnceItsJobWasAborted() throws IOException {
    write(attempt("1"), "t/part-0-" + JOB);
    jobs.ended(JOB, JobOutcome.ABORTED, List.of());

    assertThatThrownBy(() -> jobs.drain(attempt("1")))
        .hasMessage("job a1b2c3 was aborted before its task could commit");

    assertThat(pendingKeys()).isEmpty();
  }

  @Test
  void whatAJobCommittedIsLeftAlone() throws IOException {
    write(attempt("1"), "t/part-0-" + JOB);
    jobs.drain(attempt("1"));
    jobs.ended(JOB, JobOutcome.COMMITTED, List.of());
    assertThat(faulty.requests()).doesNotContainKey(Operation.ABORT_UPLOAD);
  }

  @Test
  void anUploadWhoseCreationLostItsAnswerIsAbortedWhenTheJobHasEnded() throws IOException {
    faulty.failAfter(Operation.CREATE_UPLOAD, 1, Kind.CONNECTION_LOST);
    write(attempt("1"), "t/part-0-" + JOB);
    List<TaskFile> uploads = jobs.drain(attempt("1"));
    Upload longer = bare.createUpload("t/part-0-" + JOB + ".crc");
    assertThat(pendingKeys()).hasSize(3);
    for (TaskFile upload : uploads) {
      bare.completeUpload(((TaskUpload) upload).pending(), io.penstock.core.store.Condition.NONE);
    }

    jobs.ended(JOB, JobOutcome.COMMITTED, uploads);

    assertThat(pendingKeys()).containsExactly(longer.key());

    bare.createUpload("t/part-0-" + JOB); // A proxy has passed the request on only now.
    later.forEach(Runnable::run);
    assertThat(pendingKeys()).containsExactly(longer.key());
  }

  @Test
  void aCreationThatATaskLosesAfterItsJobHasEndedIsLookedForToo() throws IOException {
    jobs.ended(JOB, JobOutcome.ABORTED, List.of());
    faulty.failAfter(Operation.CREATE_UPLOAD, 1, Kind.CONNECTION_LOST);
    store.createUpload("t/part-0-" + JOB);
    assertThat(later).hasSize(1);
    assertThat(jobs.looksToCome()).isEqualTo(1);

    later.forEach(Runnable::run);
    assertThat(jobs.looksToCome()).isZero();

    assertThat(pendingKeys()).isEmpty();
  }

  @Test
  void aThrottledCreationIsNotLookedFor() throws IOException {
    faulty.failBefore(Operation.CREATE_UPLOAD, 1, Kind.THROTTLED);
    write(attempt("1"), "t/part-0-" + JOB);
    jobs.ended(JOB, JobOutcome.COMMITTED, jobs.drain(attempt("1")));
    assertThat(faulty.requests()).doesNotContainKey(Operation.LIST_UPLOADS);
  }

  @Test
  void anotherJobsLostCreationStays() throws IOException {
    faulty.failAfter(Operation.CREATE_UPLOAD, 1, Kind.CONNECTION_LOST);
    store.createUpload("t/part-0-other");
    jobs.ended(JOB, JobOutcome.COMMITTED, List.of());
    assertThat(pendingKeys()).hasSize(2);
  }

  @Test
  void anAbortFindsTheJobsUploadsByName() throws IOException {
    for (String key : List.of("t/part-0-" + JOB, "t/p=1/x-" + JOB + ".snappy", "t/part-0-other")) {
      upload(key);
    }
    bare.createUpload("t2/part-0-" + JOB);
    bare.createUpload("t/" + JOB + "/theirs");

    new JobAbort(bucket -> bare, Runnable::run).abortByName("lake", "t/", JOB);

    assertThat(pendingKeys())
        .containsExactlyInAnyOrder("t/" + JOB + "/theirs", "t/part-0-other", "t2/part-0-" + JOB);
  }

  @Test
  void whereUploadsAreListedByWholeKeysTheJobsOwnKeysAreAsked() throws IOException {
    // A task of a lost process and its repeat have sent the same file; others are none of ours.
    TaskUpload again = upload("t/part-0-" + JOB);
    TaskUpload fixed = upload("t/fixed");
    upload("t/part-0-" + JOB + ".2");
    JobAbort elsewhere = new JobAbort(bucket -> bare, Runnable::run);
    elsewhere.abortAtKeysOf(List.of(again, fixed), JOB);
    assertThat(pendingKeys()).hasSize(3);

    StoreWrapper byWholeKeys =
        new StoreWrapper(bare) {
          @Override
          public StoreTraits traits() {
            return StoreTraits.unknown(PartNumbering.CONSECUTIVE);
          }
        };
    new JobAbort(bucket -> byWholeKeys, Runnable::run).abortAtKeysOf(List.of(again, fixed), JOB);
    assertThat(pendingKeys()).containsExactlyInAnyOrder("t/fixed", "t/part-0-" + JOB + ".2");
  }

  private TaskUpload upload(String key) throws IOException {
    Upload upload = bare.createUpload(key);
    Part part = bare.uploadPart(upload, 1, Body.empty());
    return new TaskUpload("lake", new PendingUpload(upload, List.of(part)));
  }

  @Test
  void aSweepForAJobSparesTheUploadsOfAnotherWhoseIdBeginsAlike() throws IOException {
    Segment longer = new Segment(JOB + "0", "1");
    String key = "t/part-0-" + longer.jobId();
    faulty.failAfter(Operation.CREATE_UPLOAD, 1, Kind.CONNECTION_LOST);
    write(longer, key);
    Upload sent = ((TaskUpload) jobs.drain(longer).get(0)).pending().upload();
    assertThat(pendingKeys()).hasSize(2);

    jobs.ended(JOB, JobOutcome.COMMITTED, List.of());

    assertThat(bare.listUploads("", Optional.empty()).uploads())
        .extracting(UploadsPage.Listed::upload)
        .contains(sent);
    jobs.ended(longer.jobId(), JobOutcome.ABORTED, List.of());
    assertThat(pendingKeys()).as("the lost creation was not forgotten").isEmpty();
  }

  @Test
  void anAttemptWithoutFilesLeavesNothingBehind() throws IOException {
    jobs.begin(new Segment(JOB, "1"));
    assertThat(jobs.size()).isZero();
    jobs.begin(new Segment(JOB, "2"), new InlineBudget(10, 10));
    write(new Segment(JOB, "3"), "t/part-0-" + JOB);
    jobs.drain(new Segment(JOB, "3"));
    assertThat(jobs.size()).isEqualTo(1);

    jobs.ended(JOB, JobOutcome.COMMITTED, List.of());

    assertThat(jobs.size()).isZero();
  }

  @Test
  void itRemembersOnlySoManyJobs() throws IOException {
    for (int job = 0; job < 5_000; job++) {
      jobs.add(new Segment("job-" + job, "1"), pendingFile("t/a"));
    }
    assertThat(jobs.openJobs()).hasSize(1_000);
  }
}
