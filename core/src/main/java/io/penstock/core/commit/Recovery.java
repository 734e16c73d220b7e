/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.CommitConfig.Direction;
import io.penstock.core.commit.IntentFiles.Decided;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.IntentFiles.Seen;
import io.penstock.core.commit.UnfinishedCommits.End;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Keys;
import io.penstock.core.store.Upload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the commit of a dead job: finishes it or undoes it. Several processes may do so at the same
 * time, and the job itself may turn out to be alive. {@link Settlement} explains why all of them
 * come to the same end. A process that dies during the recovery leaves everything that the next one
 * needs.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Stores stores;
  private final Lanes pool;
  private final Time time;
  private final Table table;
  private final IntentFiles files;
  private final Direction wish;
  private final boolean isSure;

  /**
   * @param wish direction to take if both are possible
   */
  Recovery(Stores stores, Lanes pool, Time time, Table table, IntentFiles files, Direction wish) {
    this(stores, pool, time, table, files, wish, false);
  }

  /**
   * @param isSure whether to take that direction even if files are missing for an unknown reason
   */
  Recovery(
      Stores stores,
      Lanes pool,
      Time time,
      Table table,
      IntentFiles files,
      Direction wish,
      boolean isSure) {
    this.stores = stores;
    this.pool = pool;
    this.time = time;
    this.table = table;
    this.files = files;
    this.wish = wish;
    this.isSure = isSure;
  }

  /** A commit that is being ended. */
  private final class Case {
    private final Intent intent;
    private Optional<Replaced> replaced;
    private final Settlement settlement;
    private final UploadSet visible;
    private boolean isLost;

    Case(Intent intent) throws IOException {
      this.intent = intent;
      this.replaced = files.replaced(intent.id());
      this.settlement = new Settlement(stores, pool, time, table, intent);
      this.visible = settlement.visible(UploadSet.all(intent.uploads()));
    }

    End settle() throws IOException {
      Optional<Decision> decided = files.decision(intent.id());
      if (decided.isPresent()) {
        return follow(decided.get());
      }
      boolean isForward = hasPassed() && (missing().isEmpty() || (!wantsBack() && isCompleted()));
      if (!isForward && hasPassed() && !isLost && !isSure) {
        requirePending();
      }
      Decided made = files.decide(intent.id(), isForward ? Decision.FORWARD : Decision.BACK);
      return follow(made.decision());
    }

    /**
     * Returns true if the job has certainly passed the fence. Before that, the job may take its
     * intent back and let others commit, so no other process may continue its commit.
     */
    private boolean hasPassed() {
      return replaced.isPresent() || (!intent.isAlone() && !visible.isEmpty());
    }

    private End follow(Decision decision) throws IOException {
      if (!files.isThere(intent)) {
        // The job has ended and removed its own decision, so this decision came too late.
        return End.GONE;
      }
      if (decision == Decision.WITHDRAWN) {
        files.removeUndecided(intent.id());
        return End.GONE;
      }
      if (decision == Decision.FORWARD) {
        readReplaced();
        settlement.deleteOld(replaced.orElse(Replaced.NOTHING));
        settlement.putMarker(OptionalLong.empty());
      } else {
        rollBack();
      }
      files.removeUndecided(intent.id());
      return decision == Decision.FORWARD ? End.COMMITTED : End.ROLLED_BACK;
    }

    private UploadSet missing() {
      return UploadSet.all(intent.uploads()).without(visible);
    }

    private boolean wantsBack() {
      return wish == Direction.BACK || (wish == Direction.AUTO && !intent.isAlone());
    }

    /** Completes the pending uploads. Returns false if the store has lost an upload. */
    private boolean isCompleted() throws IOException {
      settlement.deleteMarker();
      if (isSure) {
        completeWhatIsThere();
        return true;
      }
      UploadSet done = UploadSet.none(intent.uploads());
      try {
        UploadSet missing = missing();
        settlement.complete(missing, done, UploadSet.none(intent.uploads()));
        if (done.size() != missing.size()) {
          throw new IOException(table + ": not all files were completed, and why is not known");
        }
        return true;
      } catch (IOException e) {
        if (!Settlement.isLost(e)) {
          throw e;
        }
        // Some uploads were still pending, so the job had not committed.
        isLost = !done.isEmpty();
        visible.addAll(done);
        return false;
      }
    }

    private void completeWhatIsThere() throws IOException {
      Parallel.untilFailureIn(
          settlement::writes,
          missing(),
          upload -> {
            try {
              settlement.complete(upload);
            } catch (IOException e) {
              if (!Settlement.isLost(e)) {
                throw e;
              }
              LOG.warn("{}: {} is lost", table, ObjectKey.of(upload));
            }
          });
    }

    /**
     * Fails if some files are visible, others are missing, and none of the missing ones has a
     * pending upload. The missing files may have been visible before: the job had committed, and
     * somebody has deleted them since. In that case the other files must not be deleted.
     */
    private void requirePending() throws IOException {
      if (visible.isEmpty()) {
        return;
      }
      AtomicBoolean isOnePending = new AtomicBoolean();
      Parallel.untilFailureIn(
          upload -> pool.reads(upload.bucket(), upload.pending().key()),
          missing(),
          upload -> {
            if (!isOnePending.get() && isPending(upload)) {
              isOnePending.set(true);
            }
          });
      if (isOnePending.get()) {
        return;
      }
      throw new IOException(
          "%s: %d of %d files of %s are not there, and none of their uploads is pending. Either the store has lost them, or the job had committed and somebody has deleted them since. 'penstock recover %s --write --forward' keeps the other files, and '--back' deletes them"
              .formatted(table, missing().size(), intent.uploads().size(), intent.job(), table));
    }

    private boolean isPending(TaskUpload upload) throws IOException {
      Upload own = upload.pending().upload();
      return Keys.uploads(stores.of(upload.bucket()), own.key()).stream()
          .anyMatch(listed -> listed.upload().equals(own));
    }

    /**
     * Reads again what the job replaces, if it was not there before: the job may have written it
     * since.
     */
    private void readReplaced() throws IOException {
      if (replaced.isEmpty()) {
        replaced = files.replaced(intent.id());
      }
    }

    private void rollBack() throws IOException {
      settlement.abort(intent.uploads());
      // The job may be alive, and may have passed the fence and completed some uploads by now.
      readReplaced();
      visible.addAll(settlement.visible(missing()));
      Replaced old = replaced.orElse(Replaced.NOTHING);
      settlement.deleteNew(deletable(), old);
      if (old.hadMarker()) {
        settlement.restoreMarker();
      }
    }

    /**
     * Returns the uploads whose objects may be deleted. Keys that only this job writes to are not
     * checked for an object: a request that completes the upload may still be under way.
     */
    private UploadSet deletable() {
      UploadSet own = UploadSet.all(intent.uploads()).where(intent::isOwn);
      if (!hasPassed()) {
        return intent.isAlone() ? UploadSet.none(intent.uploads()) : own;
      }
      UploadSet deletable = UploadSet.none(intent.uploads());
      deletable.addAll(own);
      deletable.addAll(visible);
      return deletable;
    }
  }

  /** Ends a commit and logs the result. */
  End settle(Seen seen) throws IOException {
    Optional<Intent> found = files.read(seen);
    if (found.isEmpty()) {
      // Its objects were being removed, which is the last step of a commit.
      files.removeUndecided(seen.id());
      return End.GONE;
    }
    Intent intent = found.get();
    End end = new Case(intent).settle();
    if (end == End.GONE) {
      return end;
    }
    LOG.info(
        "{}: {} died while it committed {} files: {}",
        table,
        intent.job(),
        intent.uploads().size(),
        end == End.COMMITTED ? "all are visible now" : "none is visible, and it must be run again");
    return end;
  }
}
