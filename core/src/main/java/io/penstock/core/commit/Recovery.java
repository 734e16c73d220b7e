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
 * Brings the commit of a job that died to one of its two ends. Several processes may do so at once,
 * and the job itself may turn out to live: see {@link Settlement} for why they come to the same
 * end. One that dies in it leaves what the next one needs.
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
   * @param wish where to, when both ways are open
   */
  Recovery(Stores stores, Lanes pool, Time time, Table table, IntentFiles files, Direction wish) {
    this(stores, pool, time, table, files, wish, false);
  }

  /**
   * @param isSure whether to go that way also with files that are missing for an unknown reason
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

  /** The commit that is being brought to its end. */
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
     * Returns true if the job has surely passed the fence. Before that it may take its intent back
     * and let others commit, so nobody else may go on for it.
     */
    private boolean hasPassed() {
      return replaced.isPresent() || (!intent.isAlone() && !visible.isEmpty());
    }

    private End follow(Decision decision) throws IOException {
      if (!files.isThere(intent)) {
        // The job has ended meanwhile, and its own decision with it: this one came too late.
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

    /** Completes what is pending; false when the store has lost an upload. */
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
        // Some were pending, so the job had not committed.
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
     * Files that are missing although none of their uploads is pending may have been there: the job
     * had committed, and somebody has deleted them since. Then the others must not go.
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

    /** Looks again: the job may have written it since. */
    private void readReplaced() throws IOException {
      if (replaced.isEmpty()) {
        replaced = files.replaced(intent.id());
      }
    }

    private void rollBack() throws IOException {
      settlement.abort(intent.uploads());
      // The job may live, and have passed the fence and completed some until now.
      readReplaced();
      visible.addAll(settlement.visible(missing()));
      Replaced old = replaced.orElse(Replaced.NOTHING);
      settlement.deleteNew(deletable(), old);
      if (old.hadMarker()) {
        settlement.restoreMarker();
      }
    }

    /** Keys that only this job has go unseen: a Complete may still be under way. */
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

  /** Brings a commit to its end, and says so in the log. */
  End settle(Seen seen) throws IOException {
    Optional<Intent> found = files.read(seen);
    if (found.isEmpty()) {
      // Its objects were being removed, which is the last thing that is done.
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
