/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.pool.Shielded;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.Upload;
import io.penstock.core.store.UploadsPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a job: makes its uploads visible, then deletes what they replace.
 *
 * <ol>
 *   <li>The keys to be replaced are listed before anything becomes visible, so that a new file is
 *       never taken for an old one.
 *   <li>All uploads are completed. When one fails, no further one is begun, those that were
 *       completed are deleted again unless they replaced an object of the same key, the rest is
 *       aborted, and the old data stays. One that failed is looked up, since an attempt of it may
 *       have been done.
 *   <li>The old keys are deleted, except those that the job has written itself.
 * </ol>
 */
public final class JobCommit {
  private static final Logger LOG = LoggerFactory.getLogger(JobCommit.class);

  private final Stores stores;
  private final Lanes pool;
  private final Set<Replaced> replaced = new LinkedHashSet<>();

  private record Replaced(String bucket, String prefix) {}

  private record OldKey(String bucket, String key) {}

  public JobCommit(Stores stores, Lanes pool) {
    this.stores = stores;
    this.pool = pool;
  }

  /**
   * Notes that objects go when the job commits: all under a prefix that ends with a slash, or just
   * the one with that key.
   */
  public synchronized void replace(String bucket, String prefix) {
    if (prefix.isEmpty()) {
      throw new IllegalArgumentException(
          "overwriting the root of s3://" + bucket + " would delete the whole bucket");
    }
    replaced.add(new Replaced(bucket, prefix));
  }

  /** Completes the uploads and deletes what was to be replaced. */
  public synchronized void commit(Collection<TaskUpload> uploads) throws IOException {
    Set<OldKey> oldKeys = listReplaced();
    completeAll(uploads, oldKeys);
    for (TaskUpload upload : uploads) {
      oldKeys.remove(keyOf(upload));
    }
    // The new data is visible: an interrupt must not leave the old beside it.
    Shielded.run(() -> deleteAll(oldKeys));
  }

  /** Drops the uploads; what cannot be dropped is logged, since the job has failed anyway. */
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

  /**
   * Drops the uploads under a prefix whose file name has the job's id in it: those of tasks that
   * were lost, or committed too late. Some stores list uploads by whole keys only; there it finds
   * none, and {@link Leftovers} of the processes that made them do. What goes wrong is logged.
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

  private Executor writes(TaskUpload upload) {
    return pool.writes(upload.bucket(), upload.pending().key());
  }

  private Set<OldKey> listReplaced() throws IOException {
    Set<OldKey> keys = new LinkedHashSet<>();
    for (Replaced old : replaced) {
      if (!old.prefix().endsWith("/")) {
        keys.add(new OldKey(old.bucket(), old.prefix()));
        continue;
      }
      for (ObjectMeta object : Keys.under(stores.of(old.bucket()), old.prefix())) {
        keys.add(new OldKey(old.bucket(), object.key()));
      }
    }
    return keys;
  }

  /** Keeps what has become of a job's uploads. Safe for many threads. */
  private static final class Completions {
    final Set<TaskUpload> done = ConcurrentHashMap.newKeySet();

    /** Those whose completion failed; an attempt of it may have been done all the same. */
    final Set<TaskUpload> doubtful = ConcurrentHashMap.newKeySet();
  }

  private void completeAll(Collection<TaskUpload> uploads, Set<OldKey> oldKeys) throws IOException {
    Completions completions = new Completions();
    try {
      Parallel.untilFailureIn(this::writes, uploads, upload -> complete(upload, completions));
    } catch (IOException e) {
      Shielded.run(() -> rollBack(uploads, completions, oldKeys, e));
      throw e;
    }
  }

  private void complete(TaskUpload upload, Completions completions) throws IOException {
    try {
      stores.of(upload.bucket()).completeUpload(upload.pending(), Condition.NONE);
      completions.done.add(upload);
    } catch (IOException | RuntimeException | Error e) {
      completions.doubtful.add(upload);
      throw e;
    }
  }

  /** Undoes the completions, visible files first. */
  private void rollBack(
      Collection<TaskUpload> uploads,
      Completions completions,
      Set<OldKey> oldKeys,
      IOException failure) {
    Set<OldKey> written = ConcurrentHashMap.newKeySet();
    completions.done.forEach(done -> written.add(keyOf(done)));
    try {
      Parallel.forEachIn(
          upload -> pool.reads(upload.bucket(), upload.pending().key()),
          completions.doubtful,
          upload -> {
            if (isThere(upload)) {
              written.add(keyOf(upload));
            }
          });
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    written.removeAll(oldKeys);
    try {
      deleteAll(written);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    abort(uploads.stream().filter(upload -> !completions.done.contains(upload)).toList());
  }

  private static OldKey keyOf(TaskUpload upload) {
    return new OldKey(upload.bucket(), upload.pending().key());
  }

  /** Returns true only if the object's ETag proves that this upload made it. */
  private boolean isThere(TaskUpload upload) throws IOException {
    try {
      ObjectMeta found = stores.of(upload.bucket()).head(upload.pending().key());
      return found.etag().equals(Etags.ofParts(upload.pending().parts()));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    } catch (IllegalArgumentException e) {
      return false; // The parts' ETags are not MD5s, so nothing proves that the object is ours.
    }
  }

  private void deleteAll(Set<OldKey> keys) throws IOException {
    Map<String, List<String>> byBucket = new LinkedHashMap<>();
    keys.forEach(
        key -> byBucket.computeIfAbsent(key.bucket(), b -> new ArrayList<>()).add(key.key()));
    for (Map.Entry<String, List<String>> bucket : byBucket.entrySet()) {
      try {
        Keys.deleteAll(stores.of(bucket.getKey()), bucket.getValue(), pool);
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY) {
          throw e;
        }
      }
    }
  }
}
