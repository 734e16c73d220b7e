/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(CommitSteps.class);

  private static final Set<Kind> OF_A_LOST_UPLOAD =
      Set.of(Kind.NO_SUCH_UPLOAD, Kind.INVALID_REQUEST, Kind.PARENT_IS_OBJECT);

  private final Stores stores;
  private final Lanes pool;
  private final Time time;
  private final UnansweredWrites unanswered;
  private final OutputTable table;
  private final Intent intent;
  private final LeaseClock clock;

  /**
   * @param table at which the intent is
   * @param clock of the process that does the work: it writes {@code _SUCCESS} only while no other
   *     process can have taken it for dead
   */
  CommitSteps(StoreAccess access, OutputTable table, Intent intent, LeaseClock clock) {
    this.stores = access.stores();
    this.pool = access.pool();
    this.time = access.time();
    this.unanswered = access.unanswered();
    this.table = table;
    this.intent = intent;
    this.clock = clock;
  }

  /**
   * Deletes {@code _SUCCESS} before anything changes in the data that it stands for. A store that
   * honours the condition of a DELETE deletes no other {@code _SUCCESS} than this one, however late
   * the request arrives.
   *
   * @param etag of the {@code _SUCCESS} that was found
   * @param own the intents at the table; another {@code _SUCCESS} is deleted only while the job's
   *     is in place
   */
  void deleteMarker(String etag, IntentFiles own) throws IOException {
    String expected = etag;
    while (true) {
      if (clock.hasLapsed() && !own.own(intent).isUndecided()) {
        throw new IOException(
            "%s: another process considered this job dead and is completing its commit: %s"
                .formatted(table, intent.job()));
      }
      try {
        store().delete(intent.markerKey(), Condition.ifMatch(expected));
        return;
      } catch (StoreException e) {
        if (e.kind() != Kind.PRECONDITION_FAILED || !own.isThere(intent)) {
          throw e;
        }
      }
      // An append that has just ended has written another one.
      Optional<ObjectMeta> other = marker();
      if (other.isEmpty()) {
        return;
      }
      expected = other.get().etag();
    }
  }

  /** Returns the job's {@code _SUCCESS}, or the one that is in its place. */
  Optional<ObjectMeta> marker() throws IOException {
    try {
      return Optional.of(store().head(intent.markerKey()));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
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

  /** Deletes the objects that the job replaces, except those that the job itself has written. */
  void deleteOld(Replaced replaced) throws IOException {
    Set<ObjectKey> written = new HashSet<>();
    for (TaskFile file : intent.files()) {
      ObjectKey key = ObjectKey.of(file);
      if (replaced.old().containsKey(key)) {
        written.add(key);
      }
    }
    deleteAll(
        () -> replaced.old().entrySet().stream().filter(one -> !written.contains(one.getKey())));
  }

  /**
   * Deletes the objects that the files have become, except those that took the place of an older
   * object.
   */
  void deleteNew(FileSet some, Replaced replaced) throws IOException {
    FileSet added = some.where(file -> !replaced.inPlace().contains(ObjectKey.of(file)));
    try {
      deleteAll(() -> added.stream().map(file -> unconditional(ObjectKey.of(file))));
    } catch (StoreException e) {
      // A right that is missing does not matter if there is nothing to delete.
      if (e.kind() != Kind.ACCESS_DENIED || !visible(added).isEmpty()) {
        throw e;
      }
    }
  }

  /**
   * Fails if the job may not delete in a directory in which it replaces objects: it would leave old
   * rows beside new ones. Deletes names that nobody uses.
   */
  void requireMayDelete(Collection<ObjectKey> old) throws IOException {
    Set<ObjectKey> probes = new LinkedHashSet<>();
    for (ObjectKey key : old) {
      String directory = key.key().substring(0, key.key().lastIndexOf('/') + 1);
      probes.add(new ObjectKey(key.bucket(), directory + IntentNames.probe(intent.id())));
    }
    try {
      deleteAll(() -> probes.stream().map(CommitSteps::unconditional));
    } catch (StoreException e) {
      throw e.kind() == Kind.ACCESS_DENIED
          ? e.because(
              "An overwrite deletes the old objects, so it needs s3:DeleteObject on them; see"
                  + " docs/permissions.md. Nothing has changed.")
          : e;
    }
  }

  /**
   * Writes the job's {@code _SUCCESS}. If the job wants no marker and wrote no file, this writes a
   * directory object instead, since readers fail if the output does not exist. Writes the table's
   * epoch if readers could otherwise miss that a commit came and went: it changed no {@code
   * _SUCCESS} at the table's root that was there before.
   *
   * @param requests number of requests for the job's files and its commit, if they were counted
   * @param mayBeMissed whether there was no {@code _SUCCESS} before, but an epoch or other intents
   */
  void putMarker(OptionalLong requests, boolean mayBeMissed) throws IOException {
    if (intent.marker() != SuccessMarker.NONE) {
      awaitMarkerSettled();
      put(intent.marker().body(intent, requests, time.now()), "the commit ends without _SUCCESS");
    } else {
      putDirectory();
    }
    if (mayBeMissed || !intent.marks(table)) {
      putEpoch();
    }
  }

  private void putDirectory() throws IOException {
    String directory = intent.markerKey().substring(0, intent.markerKey().lastIndexOf('/') + 1);
    if (intent.files().isEmpty() && !directory.isEmpty()) {
      unlessDenied(
          () -> store().put(directory, Body.empty(), Condition.NONE),
          "the commit ends without a directory object, so the empty output does not exist for"
              + " readers");
    }
  }

  /**
   * Writes a {@code _SUCCESS} in place of the one that the job deleted, unless there is one.
   *
   * @param own the intents at the table; without the job's intent, others may be at work
   */
  private void restoreMarker(IntentFiles own) throws IOException {
    // A DELETE of the one before that comes late would delete this one, too.
    awaitMarkerSettled();
    if (marker().isEmpty() && own.isThere(intent)) {
      put(SuccessMarker.restored(intent), "the previous _SUCCESS is not restored");
    }
  }

  /**
   * Brings back the {@code _SUCCESS} of a commit that was undone. Writes the table's epoch if that
   * does not tell readers that a commit has ended, but not where nothing is left of any other
   * commit: a job that fails at a new path leaves nothing.
   *
   * @param own the intents at the table
   */
  void markUndone(Replaced replaced, IntentFiles own) throws IOException {
    if (replaced.hadMarker()) {
      restoreMarker(own);
    }
    if (!replaced.hadMarker() || !intent.marks(table)) {
      IntentFiles.Listing there = own.list();
      boolean isNew =
          there.marker().isEmpty()
              && there.epoch().isEmpty()
              && there.intents().values().stream()
                  .allMatch(seen -> seen.id().equals(intent.id()) || !seen.hasPassed());
      if (!isNew) {
        putEpoch();
      }
    }
  }

  private void putEpoch() throws IOException {
    if (intent.marker() == SuccessMarker.NONE) {
      return; // Its user wants the job to leave its files and nothing else.
    }
    unlessDenied(
        () -> new IntentFiles(stores, table, pool).putEpoch(intent),
        "a reader that lists the table at this moment may see a part of this commit");
  }

  /**
   * Puts a {@code _SUCCESS} only while no other process can have taken this one for dead: another
   * job may have deleted it by then, and be half-way through its commit.
   *
   * @param without what it means if this process may not write it
   * @throws LeaseClock.StaleException if the lease has lapsed
   */
  private void put(Body body, String without) throws IOException {
    clock.awaitRecent();
    unlessDenied(
        () -> store().put(intent.markerKey(), clock.guardedToTheEnd(body), Condition.NONE),
        without);
  }

  /** A PUT of the marker, or of what stands for it. */
  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  /**
   * Writes, and goes on without if this process may not: its rows are visible or gone by now, and
   * the intent that it would leave would lock the table for all who may not either.
   */
  private void unlessDenied(Writing writing, String without) throws IOException {
    try {
      writing.run();
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      LOG.warn(
          "{}: {}. This process lacks s3:PutObject for that object; see docs/permissions.md: {}",
          table,
          without,
          e.getMessage());
    }
  }

  /** Returns true if a request for the {@code _SUCCESS} may still take effect. */
  boolean isMarkerUnsettled() {
    return !unanswered.matching(this::isMarker).isEmpty();
  }

  /**
   * Waits until no request for the {@code _SUCCESS} can take effect any more. A PUT that came later
   * could write it into half of the next job's commit.
   */
  void awaitMarkerSettled() throws IOException {
    unanswered.awaitNone(this::isMarker, UnansweredWrites.DELETE_SETTLING);
  }

  /** Waits until no PUT of the intent's own objects can take effect any more. */
  void awaitIntentSettled() throws IOException {
    String own = new IntentNames(table).all(intent.id());
    unanswered.awaitNone(
        key -> key.bucket().equals(table.bucket()) && key.key().startsWith(own),
        UnansweredWrites.DELETE_SETTLING);
  }

  private boolean isMarker(ObjectKey key) {
    return key.equals(new ObjectKey(table.bucket(), intent.markerKey()));
  }

  private ObjectStore store() throws IOException {
    return stores.of(table.bucket());
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
  private void deleteAll(Supplier<Stream<Map.Entry<ObjectKey, Condition>>> keys)
      throws IOException {
    for (String bucket : keys.get().map(one -> one.getKey().bucket()).distinct().toList()) {
      Iterable<Map.Entry<String, Condition>> own =
          () ->
              keys.get()
                  .filter(one -> one.getKey().bucket().equals(bucket))
                  .map(one -> Map.entry(one.getKey().key(), one.getValue()))
                  .iterator();
      try {
        Keys.deleteUnchanged(stores.of(bucket), own, pool);
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
   * of this job.
   */
  static boolean isLost(IOException failure) {
    return failure instanceof StoreException e
        && e.operation() == Operation.COMPLETE_UPLOAD
        && OF_A_LOST_UPLOAD.contains(e.kind());
  }
}
