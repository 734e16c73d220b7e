/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.commit.once.DoneCommits;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What tells others that a commit has ended: its {@code _SUCCESS}, the table's epoch, and the
 * record of a commit with a name. Used by the job itself and by any process that finds its intent.
 */
final class EndMarks {
  private static final Logger LOG = LoggerFactory.getLogger(EndMarks.class);

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
  EndMarks(StoreAccess access, OutputTable table, Intent intent, LeaseClock clock) {
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

  /**
   * Writes the record of the commit, if it has a name, and its {@code _SUCCESS}. If the job wants
   * no marker and wrote no file, this writes a directory object instead, since readers fail if the
   * output does not exist. Writes the table's epoch if readers could otherwise miss that a commit
   * came and went: it changed no {@code _SUCCESS} at the table's root that was there before.
   *
   * @param requests number of requests for the job's files and its commit, if they were counted
   * @param mayBeMissed whether there was no {@code _SUCCESS} before, but an epoch or other intents
   */
  void putMarker(OptionalLong requests, boolean mayBeMissed) throws IOException {
    putRecord();
    if (intent.marker() != SuccessMarker.NONE) {
      awaitMarkerSettled();
      put(
          intent.markerKey(),
          intent.marker().body(intent, requests, time.now()),
          "the commit ends without _SUCCESS");
    } else {
      putDirectory();
    }
    if (mayBeMissed || !intent.marks(table)) {
      putEpoch();
    }
  }

  /**
   * Returns what the record says of a commit with the job's name; empty if there was none, or the
   * job has no name.
   */
  Optional<String> record() throws IOException {
    return intent.name().isEmpty() ? Optional.empty() : done().find(intent.name().get(), place());
  }

  /** Writes down that the commit has happened, if it has a name. */
  private void putRecord() throws IOException {
    if (intent.name().isPresent()) {
      CommitId name = intent.name().get();
      Body line = SuccessMarker.JSON.body(intent, OptionalLong.empty(), time.now());
      put(
          done().key(name, place()),
          DoneCommits.record(name, line, intent.files()),
          "a job with the id '%s' that runs again writes its rows again".formatted(name));
    }
  }

  /**
   * Deletes the records of the oldest commits, if there are many. Only logs a failure.
   *
   * @param listed the objects at the table's root
   */
  void forgetOldRecords(List<ObjectMeta> listed) throws InterruptedIOException {
    if (intent.name().isEmpty()) {
      return;
    }
    CommitId name = intent.name().get();
    try {
      done().forgetOld(name, listed);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.debug("{}: the records of old commits stay", table, e);
    }
  }

  private DoneCommits done() {
    return new DoneCommits(stores, table, pool);
  }

  /** Returns where the job's output is in the table. */
  private String place() {
    return intent
        .markerKey()
        .substring(
            table.prefix().length(), intent.markerKey().length() - SuccessMarker.NAME.length());
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
      put(
          intent.markerKey(),
          SuccessMarker.restored(intent),
          "the previous _SUCCESS is not restored");
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
      Listing there = own.list();
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
   * Puts a mark only while no other process can have taken this one for dead: another job may have
   * deleted it by then, and be half-way through its commit.
   *
   * @param without what it means if this process may not write it
   * @throws LeaseClock.StaleException if the lease has lapsed
   */
  private void put(String key, Body body, String without) throws IOException {
    clock.awaitRecent();
    unlessDenied(() -> store().put(key, clock.guardedToTheEnd(body), Condition.NONE), without);
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
}
