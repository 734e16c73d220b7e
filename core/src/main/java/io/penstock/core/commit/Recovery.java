/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.commit.CommitConfig.Direction;
import io.penstock.core.commit.IntentFiles.Decided;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.IntentFiles.Seen;
import io.penstock.core.commit.UnfinishedCommits.End;
import io.penstock.core.commit.UnfinishedCommits.Settled;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Keys;
import io.penstock.core.store.Upload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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

  /** The pause between two looks at a job that has woken up. */
  private static final Duration LOOK = Duration.ofSeconds(2);

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
    private final FileSet visible;
    private final Seen seen;
    private boolean isLost;
    private int leftOut;

    Case(Seen seen, Intent intent) throws IOException {
      this.seen = seen;
      this.intent = intent;
      this.replaced = files.replaced(intent.id());
      this.settlement = new Settlement(stores, pool, time, table, intent);
      this.visible = settlement.visible(FileSet.all(intent.files()));
    }

    Settled settle() throws IOException {
      return new Settled(end(), leftOut);
    }

    private End end() throws IOException {
      Optional<Decision> decided = files.decision(intent.id());
      if (decided.isPresent()) {
        leftOut = decided.get() == Decision.FORWARD ? missing().size() : 0;
        return follow(decided.get());
      }
      boolean isForward = hasPassed() && (missing().isEmpty() || (!wantsBack() && isCompleted()));
      if (!isForward && hasPassed() && !isLost && !isSure && !isBeforeUploads()) {
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

    /**
     * Returns true if an inline file is missing, and no upload was completed. The job puts its
     * inline files first, so it died while it did so.
     */
    private boolean isBeforeUploads() {
      return isOneLost() && visible.uploads().isEmpty();
    }

    /** Returns true if a missing file's content was only in the memory of the job that died. */
    private boolean isOneLost() {
      return missing().stream().anyMatch(InlineFile.class::isInstance);
    }

    private FileSet missing() {
      return FileSet.all(intent.files()).without(visible);
    }

    private boolean wantsBack() {
      return wish == Direction.BACK || (wish == Direction.AUTO && !intent.isAlone());
    }

    /**
     * Completes the pending uploads. Returns false if the store has lost an upload, or if an inline
     * file is missing.
     */
    private boolean isCompleted() throws IOException {
      if (isOneLost() && !isSure) {
        return false;
      }
      settlement.deleteMarker();
      if (isSure) {
        completeWhatIsThere();
        return true;
      }
      FileSet done = FileSet.none(intent.files());
      try {
        FileSet missing = missing();
        settlement.publish(missing, this::complete, done, FileSet.none(intent.files()));
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

    private void complete(TaskFile file) throws IOException {
      settlement.complete((TaskUpload) file);
    }

    private void completeWhatIsThere() throws IOException {
      AtomicInteger lost = new AtomicInteger();
      Consumer<TaskFile> leaveOut =
          file -> {
            lost.incrementAndGet();
            LOG.warn("{}: {} is lost", table, ObjectKey.of(file));
          };
      missing().stream().filter(InlineFile.class::isInstance).forEach(leaveOut);
      Parallel.untilFailureIn(
          settlement::writes,
          missing().uploads(),
          upload -> {
            try {
              settlement.complete(upload);
            } catch (IOException e) {
              if (!Settlement.isLost(e)) {
                throw e;
              }
              leaveOut.accept(upload);
            }
          });
      leftOut = lost.get();
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
          upload -> pool.reads(upload.bucket(), upload.key()),
          missing().uploads(),
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
              .formatted(table, missing().size(), intent.files().size(), intent.job(), table));
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
      if (intent.files().stream().anyMatch(InlineFile.class::isInstance)) {
        awaitStillness();
      }
      settlement.abort(FileSet.all(intent.files()));
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
     * Waits while the job shows that it is alive. It may have stopped for minutes and have woken up
     * just before the decision. Its PUTs then take effect until it sees the decision, and nobody
     * can abort a PUT.
     */
    private void awaitStillness() throws IOException {
      Instant renewed = seen.renewed();
      long sinceNanos = time.nowNanos() - Fence.LEASE.toNanos();
      while (true) {
        Seen now = files.list().intents().get(intent.id());
        if (now == null) {
          return; // Another process has ended the commit.
        }
        if (!now.renewed().equals(renewed)) {
          renewed = now.renewed();
          sinceNanos = time.nowNanos();
        }
        if (time.nowNanos() - sinceNanos >= Fence.LEASE.toNanos()) {
          return;
        }
        pause();
      }
    }

    private void pause() throws IOException {
      try {
        Cancellation.sleep(time, LOOK, () -> false);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a commit of another job was undone");
      }
    }

    /**
     * Returns the uploads whose objects may be deleted. Keys that only this job writes to are not
     * checked for an object: a request that completes the upload may still be under way.
     */
    private FileSet deletable() {
      FileSet own = FileSet.all(intent.files()).where(intent::isOwn);
      if (!hasPassed()) {
        return intent.isAlone() ? FileSet.none(intent.files()) : own;
      }
      FileSet deletable = FileSet.none(intent.files());
      deletable.addAll(own);
      deletable.addAll(visible);
      return deletable;
    }
  }

  /** Ends a commit and logs the result. */
  Settled settle(Seen seen) throws IOException {
    Optional<Intent> found = files.read(seen);
    if (found.isEmpty()) {
      // Its objects were being removed, which is the last step of a commit.
      files.removeUndecided(seen.id());
      return new Settled(End.GONE, 0);
    }
    Intent intent = found.get();
    Settled settled = new Case(seen, intent).settle();
    if (settled.end() == End.GONE) {
      return settled;
    }
    LOG.info(
        "{}: {} died while it committed {} files: {}",
        table,
        intent.job(),
        intent.files().size(),
        result(settled));
    return settled;
  }

  private static String result(Settled settled) {
    if (settled.end() == End.ROLLED_BACK) {
      return "none is visible, and it must be run again";
    }
    return settled.leftOut() == 0
        ? "all are visible now"
        : "%d are not there, all others are visible now".formatted(settled.leftOut());
  }
}
