/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
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

/**
 * The steps that bring one commit to its end, for the job itself and for whoever finds its intent.
 *
 * <p>An upload is completed or aborted once, and one decision, made where none was before, says
 * where a commit goes. Two processes that work at one commit keep to it: nobody deletes an old
 * object before it goes forward, nor a new one before it goes back.
 */
final class Settlement {
  private final Stores stores;
  private final Lanes pool;
  private final Time time;
  private final Table table;
  private final Intent intent;

  /**
   * @param table where the intent is
   */
  Settlement(Stores stores, Lanes pool, Time time, Table table, Intent intent) {
    this.stores = stores;
    this.pool = pool;
    this.time = time;
    this.table = table;
    this.intent = intent;
  }

  /** Removes {@code _SUCCESS}, before anything changes that it vouches for. */
  void deleteMarker() throws IOException {
    store().delete(intent.markerKey());
  }

  /**
   * Completes the uploads, until one fails.
   *
   * @param done receives those that are visible then
   * @param doubtful receives those that failed; an attempt of one may have been done all the same
   */
  void complete(Collection<TaskUpload> uploads, Set<TaskUpload> done, Set<TaskUpload> doubtful)
      throws IOException {
    Parallel.untilFailureIn(
        this::writes,
        uploads,
        upload -> {
          try {
            complete(upload);
            done.add(upload);
          } catch (IOException | RuntimeException | Error e) {
            doubtful.add(upload);
            throw e;
          }
        });
  }

  private void complete(TaskUpload upload) throws IOException {
    try {
      stores.of(upload.bucket()).completeUpload(upload.pending(), Condition.NONE);
    } catch (StoreException e) {
      // Another process that has found the intent may have completed it.
      if (e.kind() != Kind.NO_SUCH_UPLOAD || !isVisible(upload, e)) {
        throw e;
      }
    }
  }

  private boolean isVisible(TaskUpload upload, StoreException failure) throws StoreException {
    try {
      return isVisible(upload);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /** Returns true only if the object's ETag proves that this upload made it. */
  boolean isVisible(TaskUpload upload) throws IOException {
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

  /** Returns those of the uploads whose object is there. */
  Set<TaskUpload> visible(Collection<TaskUpload> uploads) throws IOException {
    Set<TaskUpload> visible = ConcurrentHashMap.newKeySet();
    Parallel.forEachIn(
        upload -> pool.reads(upload.bucket(), upload.pending().key()),
        uploads,
        upload -> {
          if (isVisible(upload)) {
            visible.add(upload);
          }
        });
    return visible;
  }

  /** Aborts the uploads, also after one could not be; one that is gone already is no failure. */
  void abort(Collection<TaskUpload> uploads) throws IOException {
    Parallel.forEachIn(
        this::writes,
        uploads,
        upload -> stores.of(upload.bucket()).abortUpload(upload.pending().upload()));
  }

  /** Deletes what the job replaces, but nothing that it has written itself. */
  void deleteOld(Replaced replaced) throws IOException {
    Set<ObjectKey> old = new LinkedHashSet<>(replaced.old());
    intent.uploads().forEach(upload -> old.remove(ObjectKey.of(upload)));
    deleteAll(old);
  }

  /** Deletes what the uploads made, but for what took the place of an older object. */
  void deleteNew(Collection<TaskUpload> uploads, Replaced replaced) throws IOException {
    Set<ObjectKey> written = new LinkedHashSet<>();
    uploads.forEach(upload -> written.add(ObjectKey.of(upload)));
    written.removeAll(replaced.inPlace());
    deleteAll(written);
  }

  /** Leaves the job's {@code _SUCCESS}. */
  void putMarker() throws IOException {
    if (intent.marker() != Marker.NONE) {
      store()
          .put(
              intent.markerKey(),
              intent.marker().body(intent.job(), intent.uploads(), time.now()),
              Condition.NONE);
    }
  }

  /** Puts a {@code _SUCCESS} back that the job had removed, unless there is one. */
  void restoreMarker() throws IOException {
    try {
      store().head(intent.markerKey());
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_KEY) {
        throw e;
      }
      store().put(intent.markerKey(), Marker.restored(), Condition.NONE);
    }
  }

  private ObjectStore store() throws IOException {
    return stores.of(table.bucket());
  }

  private Executor writes(TaskUpload upload) {
    return pool.writes(upload.bucket(), upload.pending().key());
  }

  private void deleteAll(Set<ObjectKey> keys) throws IOException {
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

  /** Returns true if a failure says that an upload is gone and its object is not there. */
  static boolean isLost(IOException failure) {
    return failure instanceof StoreException e
        && e.operation() == Operation.COMPLETE_UPLOAD
        && (e.kind() == Kind.NO_SUCH_UPLOAD || e.kind() == Kind.INVALID_REQUEST);
  }
}
