/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.keys.Places;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The steps that end one commit. The job itself uses them, and so does any process that finds the
 * job's intent.
 *
 * <p>The result is the same whoever ends the commit, for three reasons: an upload can be completed
 * or aborted only once; only the job itself has the content of its inline files; and one decision,
 * which can be made only once, says whether the commit goes forward or back. All processes that
 * work on the commit follow this decision: none deletes an old object before the decision to go
 * forward, or a new object before the decision to go back.
 */
final class CommitSteps {
  private static final Set<Kind> OF_A_LOST_UPLOAD =
      Set.of(Kind.NO_SUCH_UPLOAD, Kind.INVALID_REQUEST, Kind.PARENT_IS_OBJECT);

  private final Stores stores;
  private final Lanes pool;
  private final Intent intent;

  /**
   * @param intent the commit's
   */
  CommitSteps(StoreAccess access, Intent intent) {
    this.stores = access.stores();
    this.pool = access.pool();
    this.intent = intent;
  }

  /** A step that makes one file visible. */
  @FunctionalInterface
  interface Publishing {
    void run(TaskFile file) throws IOException;
  }

  /**
   * Makes files visible until one fails, with more requests at once than other work in the table's
   * bucket.
   *
   * @param done receives the files that were made visible
   * @param doubtful receives the files that failed, unless the store has refused them; an attempt
   *     of such a request may still have taken effect
   */
  void publish(FileSet some, Publishing step, FileSet done, FileSet doubtful) throws IOException {
    Lanes.Widened wide = pool.widen();
    try {
      Parallel.untilFailureIn(
          one -> writes(one.file()),
          some.numbered(),
          one -> {
            try {
              step.run(one.file());
              done.add(one);
            } catch (IOException | RuntimeException | Error e) {
              if (!isRefused(e)) {
                doubtful.add(one);
              }
              throw e;
            }
          });
    } finally {
      wide.end();
    }
  }

  /** Returns true if the store has answered that it does not write the object. */
  private static boolean isRefused(Throwable failure) {
    return failure instanceof StoreException e
        && e.operation() == Operation.PUT
        && e.kind() != Kind.NOT_S3
        && e.kind().retry() == StoreException.Retry.NEVER;
  }

  /**
   * Makes files visible whose content is in the store, until one fails; see {@link #publish}.
   *
   * @param clock of this process, which restores nothing once another one can have taken it for
   *     dead
   * @throws IOException one of which {@link #isLost} is true if the store has lost a file
   */
  void publishStored(FileSet some, FileSet done, FileSet doubtful, LeaseClock clock)
      throws IOException {
    if (intent.restoresFiles()) {
      Restoring restoring = restoring(clock);
      restoring.restore(some, done, doubtful);
      restoring.requireVisible(some);
    } else {
      publish(some, file -> complete((TaskUpload) file), done, doubtful);
    }
  }

  /**
   * Makes deleted objects visible again, except those that no longer exist.
   *
   * @param leaveOut receives these
   */
  void restoreWhatIsThere(FileSet some, Consumer<TaskFile> leaveOut, LeaseClock clock)
      throws IOException {
    FileSet unused = FileSet.none(intent.files());
    restoring(clock).restore(some, unused, unused);
    some.without(visible(some)).forEach(leaveOut);
  }

  private Restoring restoring(LeaseClock clock) {
    String marker = intent.markerKey();
    return new Restoring(
        bucket -> whileLiving(stores.of(bucket), clock), pool, Places.directory(marker));
  }

  /** Completes one upload. It is no failure if another process has already completed it. */
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
   * Returns true if the object at the file's key was made by this job. One of three facts is
   * enough: the object's write id is the job's; its ETag is made of the parts' ETags; or the key is
   * the job's own and the size is right. The third fact is for inline files, and for stores that
   * keep no write ids and whose ETags are not MD5s.
   */
  boolean isVisible(TaskFile file) throws IOException {
    ObjectMeta found;
    try {
      found = stores.of(file.bucket()).head(file.key());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
    if (file instanceof RestoredFile restored) {
      return Restoring.isOne(restored, found);
    }
    boolean isOwn = intent.isOwn(file) && found.sizeBytes() == file.sizeBytes();
    return isOwn
        || found.writeId().equals(Optional.of(intent.job().id()))
        || (file instanceof TaskUpload upload && isMadeOf(upload.pending(), found));
  }

  private static boolean isMadeOf(PendingUpload pending, ObjectMeta found) {
    try {
      return Etags.match(found.etag(), Etags.ofParts(pending.parts()));
    } catch (IllegalArgumentException e) {
      return false; // The parts' ETags are not MD5s.
    }
  }

  /** Returns the files whose object is visible. */
  FileSet visible(FileSet some) throws IOException {
    FileSet visible = FileSet.none(intent.files());
    Parallel.forEachIn(
        one -> pool.reads(one.file().bucket(), one.file().key()),
        some.numbered(),
        one -> {
          if (isVisible(one.file())) {
            visible.add(one);
          }
        });
    return visible;
  }

  /**
   * Aborts the uploads. Continues if one cannot be aborted. It is no failure if an upload no longer
   * exists.
   */
  void abort(FileSet some) throws IOException {
    Parallel.forEachIn(
        this::writes,
        some.uploads(),
        upload -> stores.of(upload.bucket()).abortUpload(upload.pending().upload()));
  }

  /**
   * Deletes the objects that the job replaces, except those that the job itself has written, as
   * long as no other process can have taken this one for dead: by then, the other one may have
   * deleted the objects, and a third one restored them.
   *
   * @throws LeaseClock.StaleException if some are not deleted for this reason
   */
  void deleteOld(Replaced replaced, LeaseClock clock) throws IOException {
    Set<ObjectKey> written = new HashSet<>();
    for (TaskFile file : intent.files()) {
      ObjectKey key = ObjectKey.of(file);
      if (replaced.old().containsKey(key)) {
        written.add(key);
      }
    }
    deleteAll(
        bucket -> whileLiving(stores.of(bucket), clock),
        () -> replaced.old().entrySet().stream().filter(one -> !written.contains(one.getKey())));
  }

  private static ObjectStore whileLiving(ObjectStore store, LeaseClock clock) {
    return new StoreWrapper(store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        clock.refuseIfLapsed();
        return super.around(operation, key, sentBytes, call);
      }
    };
  }

  /**
   * Deletes the objects that the files have become, except those that took the place of an older
   * object. Restored ones are deleted only as long as no other process can have taken this one for
   * dead: a later commit may restore them, too.
   */
  void deleteNew(FileSet some, Replaced replaced, LeaseClock clock) throws IOException {
    Stores in = intent.restoresFiles() ? bucket -> whileLiving(stores.of(bucket), clock) : stores;
    FileSet added = some.where(file -> !replaced.inPlace().contains(ObjectKey.of(file)));
    try {
      deleteAll(in, () -> added.stream().map(file -> unconditional(ObjectKey.of(file))));
    } catch (StoreException e) {
      // A right that is missing does not matter if there is nothing to delete.
      if (e.kind() != Kind.ACCESS_DENIED || !visible(added).isEmpty()) {
        throw e;
      }
    }
  }

  /**
   * Fails if the job may not delete in a directory in which it replaces objects: it would leave old
   * rows beside new ones. The same holds where it restores objects, which a rollback deletes again.
   * Deletes names that nobody uses.
   */
  void requireMayDelete(Collection<ObjectKey> old) throws IOException {
    Set<ObjectKey> probes = new LinkedHashSet<>();
    old.forEach(key -> probes.add(probe(key)));
    if (intent.restoresFiles()) {
      intent.files().forEach(file -> probes.add(probe(ObjectKey.of(file))));
    }
    try {
      deleteAll(stores, () -> probes.stream().map(CommitSteps::unconditional));
    } catch (StoreException e) {
      throw e.kind() == Kind.ACCESS_DENIED
          ? e.because(
              "An overwrite deletes the old objects, so it needs s3:DeleteObject on them; see"
                  + " docs/permissions.md. Nothing has changed.")
          : e;
    }
  }

  private ObjectKey probe(ObjectKey key) {
    return new ObjectKey(
        key.bucket(), Places.directory(key.key()) + IntentNames.probe(intent.id()));
  }

  Executor writes(TaskFile file) {
    return pool.writes(file.bucket(), file.key());
  }

  private static Map.Entry<ObjectKey, Condition> unconditional(ObjectKey key) {
    return Map.entry(key, Condition.NONE);
  }

  /**
   * @param keys returns a new stream at each call, since there may be too many keys to store
   */
  private void deleteAll(Stores in, Supplier<Stream<Map.Entry<ObjectKey, Condition>>> keys)
      throws IOException {
    for (String bucket : keys.get().map(one -> one.getKey().bucket()).distinct().toList()) {
      Iterable<Map.Entry<String, Condition>> own =
          () ->
              keys.get()
                  .filter(one -> one.getKey().bucket().equals(bucket))
                  .map(one -> Map.entry(one.getKey().key(), one.getValue()))
                  .iterator();
      try {
        Keys.deleteUnchanged(in.of(bucket), own, pool);
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns true if a Complete failed because the upload no longer exists, or because the store
   * refused the request for good. In the first case {@link #complete} has already found no object
   * of this job. The same holds for an older version that no longer exists.
   */
  static boolean isLost(IOException failure) {
    boolean isUpload =
        failure instanceof StoreException e
            && e.operation() == Operation.COMPLETE_UPLOAD
            && OF_A_LOST_UPLOAD.contains(e.kind());
    return isUpload || failure instanceof Restoring.GoneException;
  }
}
