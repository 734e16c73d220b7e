/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.store.Body;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Commits jobs to {@code s3://lake/t} whose process dies on the way. */
public record DyingCommit(ObjectStore store, Time time) {
  /** Sends a file of so many bytes, which nobody sees yet. */
  public TaskFile upload(String key, int bytes) throws IOException {
    Upload upload = store.createUpload(key);
    Part part = store.uploadPart(upload, 1, Body.ofBytes(new byte[bytes]));
    return new TaskUpload("lake", new PendingUpload(upload, List.of(part)));
  }

  /** Returns a small file, whose content only the driver has. */
  public TaskFile inline(String key, int bytes) throws IOException {
    Body content = Body.ofBytes(new byte[bytes]);
    return new InlineFile("lake", key, bytes, Etags.ofContent(content), Optional.of(content));
  }

  /** Lets a job add its files, and its process die when so many of them are visible. */
  public void append(String jobId, List<TaskFile> files, int visible) {
    die(commit(jobId, visible), files);
  }

  /** Lets a job replace the table, and its process die when so many files are visible. */
  public void overwrite(String jobId, List<TaskFile> files, int visible) {
    JobCommit commit = commit(jobId, visible);
    commit.replace("lake", "t/");
    die(commit, files);
  }

  private static void die(JobCommit commit, List<TaskFile> files) {
    assertThatThrownBy(() -> commit.commit(files, SuccessMarker.JSON))
        .isInstanceOf(IOException.class);
  }

  private JobCommit commit(String jobId, int visible) {
    StoreWrapper dying =
        new StoreWrapper(store) {
          private int published;

          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            boolean isSmallFile = operation == Operation.PUT && !key.startsWith("t/_");
            published += operation == Operation.COMPLETE_UPLOAD || isSmallFile ? 1 : 0;
            if (published > visible) {
              throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
            }
            return call.run();
          }
        };
    Means means =
        new Means(
            bucket -> dying,
            Runnable::run,
            time,
            new CommitConfig(Duration.ofMinutes(1), Direction.AUTO, Duration.ofMinutes(1)),
            renewal -> () -> false,
            new UnansweredWrites(time));
    return new JobCommit(
        means,
        Output.of("lake", "t"),
        started -> new CommittingJob(jobId, "local-1", "ada", "driver", 42, started));
  }
}
