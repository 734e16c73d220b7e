/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts the uploads of a failed job. Errors are only logged, since the job has failed anyway. Each
 * method waits until its requests have ended. An interrupt from before the call is held back.
 */
public final class JobAbort {
  private static final Logger LOG = LoggerFactory.getLogger(JobAbort.class);

  private final Stores stores;
  private final Lanes pool;

  public JobAbort(Stores stores, Lanes pool) {
    this.stores = stores;
    this.pool = pool;
  }

  /** Aborts the uploads among the files. */
  public void abort(Collection<TaskFile> files) {
    List<TaskUpload> uploads = TaskUpload.among(files);
    try {
      Uninterruptible.run(
          () ->
              Parallel.forEachIn(
                  this::writes,
                  uploads,
                  upload -> stores.of(upload.bucket()).abortUpload(upload.pending().upload())));
    } catch (IOException e) {
      LOG.warn(
          "some of {} pending uploads could not be aborted; they remain until a lifecycle rule for"
              + " incomplete uploads removes them",
          uploads.size(),
          e);
    }
  }

  private Executor writes(TaskUpload upload) {
    return pool.writes(upload.bucket(), upload.key());
  }

  /**
   * Aborts the uploads under a prefix whose file name contains the job's id: those of tasks that
   * were lost or committed too late. Some stores list uploads by whole keys only. In such a store
   * this method finds no uploads, see {@link #abortAtKeysOf}.
   */
  public void abortByName(String bucket, String prefix, String jobId) {
    try {
      Uninterruptible.run(
          () -> {
            ObjectStore store = stores.of(bucket);
            List<Upload> found =
                Keys.uploads(store, prefix).stream()
                    .map(UploadsPage.Listed::upload)
                    .filter(upload -> Intent.isOwn(jobId, upload.key()))
                    .toList();
            Parallel.forEachIn(
                upload -> pool.writes(bucket, upload.key()), found, store::abortUpload);
          });
    } catch (IOException | RuntimeException e) {
      // The job may have committed: nothing here is a reason to run it again.
      LOG.warn(
          "s3://{}/{}: uploads of the aborted job {} may remain until a lifecycle rule for"
              + " incomplete uploads removes them: {}",
          bucket,
          prefix,
          jobId,
          e.getMessage());
    }
  }

  /**
   * Aborts leftover uploads of lost processes, after the job has ended. A task that is run again
   * writes to the same keys, so the leftovers are found at the keys of the given files. Does
   * nothing on a store that can list uploads by prefix; on other stores it asks for the uploads of
   * each key. Stops at the first failure.
   *
   * @param files of the job, none of which is in progress any more
   */
  public void abortAtKeysOf(Collection<TaskFile> files, String jobId) {
    try {
      Uninterruptible.run(
          () ->
              Parallel.untilFailureIn(
                  file -> pool.reads(file.bucket(), file.key()),
                  files,
                  file -> abortAtKeyOf(file, jobId)));
    } catch (IOException | RuntimeException e) {
      // The job may have committed: nothing here is a reason to run it again.
      LOG.warn(
          "uploads of lost executors of job {} may remain until a lifecycle rule for incomplete"
              + " uploads removes them: {}",
          jobId,
          e.getMessage());
    }
  }

  private void abortAtKeyOf(TaskFile file, String jobId) throws IOException {
    ObjectStore store = stores.of(file.bucket());
    String key = file.key();
    if (store.traits().listsUploadsByPrefix() || !Intent.isOwn(jobId, key)) {
      return;
    }
    for (UploadsPage.Listed listed : Keys.uploads(store, key)) {
      if (listed.upload().key().equals(key)) {
        store.abortUpload(listed.upload());
      }
    }
  }
}
