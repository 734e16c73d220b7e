/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.pool.Shielded;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Upload;
import io.penstock.core.store.UploadsPage;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops the uploads of a job that fails. What goes wrong is logged: the job has failed anyway. */
public final class JobAbort {
  private static final Logger LOG = LoggerFactory.getLogger(JobAbort.class);

  private final Stores stores;
  private final Lanes pool;

  public JobAbort(Stores stores, Lanes pool) {
    this.stores = stores;
    this.pool = pool;
  }

  /** Drops the uploads. */
  public void abort(Collection<TaskUpload> uploads) {
    try {
      Shielded.run(
          () ->
              Parallel.forEachIn(
                  this::writes,
                  uploads,
                  upload -> stores.of(upload.bucket()).abortUpload(upload.pending().upload())));
    } catch (IOException e) {
      LOG.warn(
          "could not abort all of {} pending uploads; a lifecycle rule that aborts incomplete"
              + " uploads removes the rest",
          uploads.size(),
          e);
    }
  }

  private Executor writes(TaskUpload upload) {
    return pool.writes(upload.bucket(), upload.pending().key());
  }

  /**
   * Drops the uploads under a prefix whose file name has the job's id in it: those of tasks that
   * were lost, or committed too late. Some stores list uploads by whole keys only; there it finds
   * none, and {@link Leftovers} of the processes that made them do.
   */
  public void abortByName(String bucket, String prefix, String jobId) {
    try {
      Shielded.run(
          () -> {
            ObjectStore store = stores.of(bucket);
            List<Upload> found =
                Keys.uploads(store, prefix).stream()
                    .map(UploadsPage.Listed::upload)
                    .filter(upload -> fileName(upload.key()).contains(jobId))
                    .toList();
            Parallel.forEachIn(
                upload -> pool.writes(bucket, upload.key()), found, store::abortUpload);
          });
    } catch (IOException e) {
      LOG.warn(
          "s3://{}/{}: uploads of the aborted job {} may be left; a lifecycle rule that aborts"
              + " incomplete uploads removes them: {}",
          bucket,
          prefix,
          jobId,
          e.getMessage());
    }
  }

  private static String fileName(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }
}
