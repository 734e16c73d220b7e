/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
  void complete(UploadSet uploads, UploadSet done, UploadSet doubtful) throws IOException {
    Parallel.untilFailureIn(
        one -> writes(one.upload()),
        uploads.numbered(),
        one -> {
          try {
            complete(one.upload());
            done.add(one);
          } catch (IOException | RuntimeException | Error e) {
            doubtful.add(one);
            throw e;
          }
        });
  }

  /** Completes one upload; that somebody else has done so before is no failure. */
  void complete(TaskUpload upload) throws IOException {
    try {
      stores
          .of(upload.bucket())
          .completeUpload(upload.pending().withWriteId(intent.job().id()), Condition.NONE);
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

  /**
   * Returns true if the object at the upload's key is the upload's. Its write id is the job's, or
   * its ETag is made of the parts' ETags; or the key is the job's own and the size is right, where
   * the store keeps no write ids and ETags are not MD5s.
   */
  boolean isVisible(TaskUpload upload) throws IOException {
    ObjectMeta found;
    try {
      found = stores.of(upload.bucket()).head(upload.pending().key());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
    boolean isOwn = intent.isOwn(upload) && found.sizeBytes() == upload.pending().sizeBytes();
    return isOwn
        || found.writeId().equals(Optional.of(intent.job().id()))
        || isMadeOf(upload.pending(), found);
  }

  private static boolean isMadeOf(PendingUpload pending, ObjectMeta found) {
    try {
      return found.etag().equals(Etags.ofParts(pending.parts()));
    } catch (IllegalArgumentException e) {
      return false; // The parts' ETags are not MD5s.
    }
  }

  /** Returns those of the uploads whose object is there. */
  UploadSet visible(UploadSet uploads) throws IOException {
    UploadSet visible = UploadSet.none(intent.uploads());
    Parallel.forEachIn(
        one -> pool.reads(one.upload().bucket(), one.upload().pending().key()),
        uploads.numbered(),
        one -> {
          if (isVisible(one.upload())) {
            visible.add(one);
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
    Set<ObjectKey> written = new HashSet<>();
    for (TaskUpload upload : intent.uploads()) {
      ObjectKey key = ObjectKey.of(upload);
      if (replaced.old().contains(key)) {
        written.add(key);
      }
    }
    deleteAll(() -> replaced.old().stream().filter(key -> !written.contains(key)));
  }

  /** Deletes what the uploads made, but for what took the place of an older object. */
  void deleteNew(Collection<TaskUpload> uploads, Replaced replaced) throws IOException {
    deleteAll(
        () -> uploads.stream().map(ObjectKey::of).filter(key -> !replaced.inPlace().contains(key)));
  }

  /**
   * Leaves the job's {@code _SUCCESS}. A job that wants none and wrote nothing leaves a directory,
   * since readers of an output that is not there fail.
   *
   * @param requests of the job's files and its commit, if somebody has counted them
   */
  void putMarker(OptionalLong requests) throws IOException {
    if (intent.marker() != SuccessMarker.NONE) {
      Body body = intent.marker().body(intent, requests, time.now());
      store().put(intent.markerKey(), body, Condition.NONE);
      return;
    }
    String directory = intent.markerKey().substring(0, intent.markerKey().lastIndexOf('/') + 1);
    if (intent.uploads().isEmpty() && !directory.isEmpty()) {
      store().put(directory, Body.empty(), Condition.NONE);
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
      store().put(intent.markerKey(), SuccessMarker.restored(), Condition.NONE);
    }
  }

  private ObjectStore store() throws IOException {
    return stores.of(table.bucket());
  }

  Executor writes(TaskUpload upload) {
    return pool.writes(upload.bucket(), upload.pending().key());
  }

  /**
   * @param keys given anew each time, since there may be too many of them to be kept
   */
  private void deleteAll(Supplier<Stream<ObjectKey>> keys) throws IOException {
    for (String bucket : keys.get().map(ObjectKey::bucket).distinct().toList()) {
      Iterable<String> own =
          () ->
              keys.get().filter(key -> key.bucket().equals(bucket)).map(ObjectKey::key).iterator();
      try {
        Keys.deleteAll(stores.of(bucket), own, pool);
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
