/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.recent.Recent;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the uploads that nobody else would abort, and aborts them when their job ends. Some are
 * from tasks that committed while the job was being aborted, so that the job does not know them.
 * Others were created although the answer to the request was lost. Not every store lists uploads by
 * prefix, so the process that made the uploads has to remember them.
 *
 * <p>An upload of another job is never touched: either the upload's id is known, or its key
 * contains the job's id. Safe for use by many threads.
 */
public final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  /**
   * Only a few jobs of a process run at once. If one is forgotten, the uploads that it leaves still
   * appear in listings of uploads.
   */
  private static final int JOBS_MAX = 1_000;

  private static final int LOST_MAX = 10_000;

  /** The ways in which a job ends. */
  public enum JobOutcome {
    COMMITTED,
    ABORTED
  }

  /** Runs a step later, when a request that was cut can no longer reach the store. */
  @FunctionalInterface
  interface Later {
    void run(Runnable step);
  }

  private record Handed(ObjectStore store, Upload upload) {}

  private record Place(String bucket, String key) {}

  private final Recent<String, JobOutcome> ended = new Recent<>(JOBS_MAX);
  private final Map<String, List<Handed>> open = new HashMap<>();
  private final Map<Place, ObjectStore> lost = new HashMap<>();
  private final Later later;

  public Leftovers() {
    this(Leftovers::inTenSeconds);
  }

  Leftovers(Later later) {
    this.later = later;
  }

  private static void inTenSeconds(Runnable step) {
    CompletableFuture.delayedExecutor(
            10,
            TimeUnit.SECONDS,
            run -> {
              Thread thread = new Thread(run, "penstock-leftovers");
              thread.setDaemon(true);
              thread.start();
            })
        .execute(step);
  }

  /**
   * Records that a task of the job writes a file in this process. Has no effect after the job has
   * ended here, or while 1,000 other jobs are open.
   */
  public synchronized void takesPart(String jobId) {
    if (open.size() < JOBS_MAX && ended.get(jobId).isEmpty()) {
      open.computeIfAbsent(jobId, id -> new ArrayList<>());
    }
  }

  /**
   * Hands the uploads of a task over to its job.
   *
   * @throws IOException if the job has been aborted; the task must then abort its uploads
   */
  synchronized void handOver(String jobId, ObjectStore store, Collection<PendingUpload> uploads)
      throws IOException {
    if (ended.get(jobId).equals(Optional.of(JobOutcome.ABORTED))) {
      throw new IOException("job " + jobId + " was aborted before its task could commit");
    }
    List<Handed> handed = open.get(jobId);
    if (handed != null) {
      uploads.forEach(pending -> handed.add(new Handed(store, pending.upload())));
    }
  }

  /** Records that an upload of the key may have been created although nobody knows its id. */
  public void creationLost(ObjectStore store, String key) {
    if (ended.keys().stream().anyMatch(key::contains)) {
      later.run(() -> abortAllOf(store, key));
      return;
    }
    synchronized (this) {
      if (lost.size() < LOST_MAX) {
        lost.put(new Place(store.bucket(), key), store);
      }
    }
  }

  /** Returns the jobs that have written here and whose outcome is not known. */
  public synchronized Set<String> openJobs() {
    return new HashSet<>(open.keySet());
  }

  /**
   * Removes what is left of a job that has ended. What cannot be removed is logged. Makes its
   * requests on the calling thread. Uploads with unknown ids are looked for once more after ten
   * seconds, on a thread of their own.
   *
   * @param known files whose uploads the job itself has completed or aborted
   */
  public void ended(String jobId, JobOutcome outcome, Collection<TaskFile> known) {
    List<Handed> handed;
    Map<Place, ObjectStore> doubtful = new HashMap<>();
    synchronized (this) {
      ended.put(jobId, outcome);
      List<Handed> all = open.remove(jobId);
      handed = all == null || outcome == JobOutcome.COMMITTED ? List.of() : all;
      lost.forEach(
          (place, store) -> {
            if (place.key().contains(jobId)) {
              doubtful.put(place, store);
            }
          });
      doubtful.keySet().forEach(lost::remove);
    }
    Map<Upload, ObjectStore> left = new LinkedHashMap<>();
    handed.forEach(upload -> left.put(upload.upload(), upload.store()));
    if (!left.isEmpty()) {
      TaskUpload.among(known).forEach(upload -> left.remove(upload.pending().upload()));
    }
    left.forEach((upload, store) -> abort(store, upload));
    sweep(doubtful);
    if (!doubtful.isEmpty()) {
      // A request that was cut on its way may take effect only later.
      later.run(() -> sweep(doubtful));
    }
  }

  private static void sweep(Map<Place, ObjectStore> places) {
    places.forEach((place, store) -> abortAllOf(store, place.key()));
  }

  private static void abortAllOf(ObjectStore store, String key) {
    try {
      Keys.uploads(store, key).stream()
          .map(UploadsPage.Listed::upload)
          .filter(upload -> upload.key().equals(key))
          .forEach(upload -> abort(store, upload));
    } catch (IOException e) {
      warn(store, key, e);
    }
  }

  private static void abort(ObjectStore store, Upload upload) {
    try {
      store.abortUpload(upload);
    } catch (IOException e) {
      warn(store, upload.key(), e);
    }
  }

  private static void warn(ObjectStore store, String key, IOException failure) {
    LOG.warn(
        "s3://{}/{}: an upload of an ended job may be left; a lifecycle rule that aborts incomplete"
            + " uploads removes it: {}",
        store.bucket(),
        key,
        failure.getMessage());
  }
}
