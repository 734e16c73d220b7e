/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.UnfinishedCommits.End;
import io.penstock.core.commit.UnfinishedCommits.Settled;
import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Decided;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the commit of a dead job: finishes it or undoes it. The process that does so has an intent
 * of its own at the table meanwhile: no job that must be alone begins before it has ended. Several
 * processes may do so at the same time, and the job itself may turn out to be alive. {@link
 * CommitSteps} explains why all of them come to the same end. A process that dies during the
 * recovery leaves everything that the next one needs.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** The pause between two looks at a job that has woken up. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final StoreAccess access;
  private final Time time;
  private final OutputTable table;
  private final IntentFiles files;
  private final LeaseClock clock;
  private final Direction wish;
  private final boolean isSure;

  /**
   * @param clock of the intent that this process has at the table
   * @param wish direction to take if both are possible
   */
  Recovery(
      StoreAccess access, OutputTable table, IntentFiles files, LeaseClock clock, Direction wish) {
    this(access, table, files, clock, wish, false);
  }

  /**
   * @param isSure whether to take that direction even if files are lost
   */
  Recovery(
      StoreAccess access,
      OutputTable table,
      IntentFiles files,
      LeaseClock clock,
      Direction wish,
      boolean isSure) {
    this.access = access;
    this.time = access.time();
    this.table = table;
    this.files = files;
    this.clock = clock;
    this.wish = wish;
    this.isSure = isSure;
  }

  /** A commit that is being ended. */
  private final class Case {
    private final Intent intent;
    private Optional<Replaced> replaced;
    private final CommitSteps settlement;
    private final EndMarks marks;
    private final FileSet visible;
    private final Seen seen;
    private int leftOut;

    Case(Seen seen, Intent intent) throws IOException {
      this.seen = seen;
      this.intent = intent;
      this.replaced = files.replaced(intent.id());
      this.settlement = new CommitSteps(access, intent);
      this.marks = new EndMarks(access, table, intent, clock);
      this.visible = settlement.visible(FileSet.all(intent.files()));
    }

    Settled settle() throws IOException {
      return new Settled(end(), leftOut);
    }

    private End end() throws IOException {
      Optional<Decision> decided = files.decision(intent.id());
      if (decided.isPresent()) {
        leftOut = decided.get() == Decision.FORWARD ? missing().size() : 0;
        return follow(decided.get(), false);
      }
      boolean isForward = hasPassed() && (isAllDone() || (!wantsBack() && isCompleted()));
      Decided made = files.decide(intent.id(), isForward ? Decision.FORWARD : Decision.BACK);
      return follow(made.decision(), made.isOurs());
    }

    /**
     * Returns true if the job has certainly passed the fence. Before that, the job may take its
     * intent back and let others commit, so no other process may continue its commit. The PUT of an
     * intent that has arrived twice brings back an intent that has ended: without the list of what
     * it replaces, it is not acted upon.
     */
    private boolean hasPassed() {
      return replaced.isPresent();
    }

    /**
     * Returns true if the commit only has to be decided. An append that has not decided has not
     * reported success. Whoever started it runs it again, so it goes back even if all its files are
     * visible; so does a job that demands that there is nothing before it.
     */
    private boolean isAllDone() {
      return missing().isEmpty() && (!intent.isUndoneByDefault() || !wantsBack());
    }

    /**
     * @param isOurs whether this process has made the decision
     */
    private End follow(Decision decision, boolean isOurs) throws IOException {
      if (!files.isThere(intent)) {
        // The job has ended and removed its own decision, so this decision came too late.
        if (isOurs) {
          files.removeDecision(intent.id());
        }
        return End.GONE;
      }
      return switch (decision) {
        case FORWARD -> {
          readReplaced();
          settlement.deleteOld(replaced.orElse(Replaced.NOTHING), clock);
          marks.putMarker(OptionalLong.empty(), !replaced.orElse(Replaced.NOTHING).hadMarker());
          marks.awaitMarkerSettled();
          // If the job wakes up, it must learn that its files are visible.
          files.putEnd(intent.id(), true);
          files.removeOrEnd(intent.id(), true, () -> files.removeUndecided(intent.id()));
          yield End.COMMITTED;
        }
        case BACK -> {
          rollBack();
          removeAll();
          yield End.ROLLED_BACK;
        }
        case WITHDRAWN, ENDED_BACK -> {
          removeAll();
          yield End.GONE;
        }
        case ENDED_FORWARD -> {
          files.removeUndecided(intent.id());
          yield End.GONE;
        }
      };
    }

    private void removeAll() throws IOException {
      files.removeOrEnd(
          intent.id(),
          false,
          () -> {
            files.removeUndecided(intent.id());
            files.removeDecision(intent.id());
          });
    }

    /** Returns true if a missing file's content was only in the memory of the job that died. */
    private boolean isOneLost() {
      return missing().stream().anyMatch(InlineFile.class::isInstance);
    }

    private FileSet missing() {
      return FileSet.all(intent.files()).without(visible);
    }

    private boolean wantsBack() {
      return wish == Direction.BACK || (wish == Direction.AUTO && intent.isUndoneByDefault());
    }

    /**
     * Completes the pending uploads. Returns false if the store has lost an upload, or if an inline
     * file is missing.
     */
    private boolean isCompleted() throws IOException {
      if (isOneLost() && !isSure) {
        return false;
      }
      Optional<ObjectMeta> marker = marks.marker();
      if (marker.isPresent()) {
        marks.deleteMarker(marker.get().etag(), files);
      }
      if (isSure) {
        completeWhatIsThere();
        return true;
      }
      FileSet done = FileSet.none(intent.files());
      try {
        FileSet missing = missing();
        settlement.publishStored(missing, done, FileSet.none(intent.files()), clock);
        if (done.size() != missing.size()) {
          throw new IOException(table + ": some files were not completed, for an unknown reason");
        }
        return true;
      } catch (IOException e) {
        if (!CommitSteps.isLost(e) && !isForbidden(e)) {
          throw e;
        }
        visible.addAll(done);
        return false;
      }
    }

    /**
     * Returns true if this process may not restore files, which takes a right that jobs do not need
     * otherwise. It can still undo the commit.
     */
    private boolean isForbidden(IOException failure) {
      return failure instanceof StoreException e
          && e.kind() == Kind.ACCESS_DENIED
          && e.operation() == Operation.DELETE_ALL
          && intent.restoresFiles();
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
              if (!CommitSteps.isLost(e)) {
                throw e;
              }
              leaveOut.accept(upload);
            }
          });
      if (intent.restoresFiles()) {
        settlement.restoreWhatIsThere(missing(), leaveOut, clock);
      }
      leftOut = lost.get();
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
      settlement.deleteNew(deletable(), old, clock);
      if (hasPassed()) {
        marks.markUndone(old, files);
        marks.awaitMarkerSettled();
      }
    }

    /**
     * Waits while the job shows that it is alive. It may have stopped for minutes and have woken up
     * just before the decision. Its PUTs then take effect until it sees the decision, and nobody
     * can abort a PUT.
     */
    private void awaitStillness() throws IOException {
      Instant renewed = seen.renewed();
      long sinceNanos = time.nowNanos() - Leases.DURATION.toNanos();
      while (true) {
        Seen now = files.list().intents().get(intent.id());
        if (now == null) {
          return; // Another process has ended the commit.
        }
        if (!now.renewed().equals(renewed)) {
          renewed = now.renewed();
          sinceNanos = time.nowNanos();
        }
        if (time.nowNanos() - sinceNanos >= Leases.DURATION.toNanos()) {
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
        throw new InterruptedIOException(
            "interrupted while a commit of another job was being undone");
      }
    }

    /**
     * Returns the files whose objects may be deleted. Keys that only this job writes to are not
     * checked for an object: a request that completes the upload may still be under way. Nor are
     * those of files that it restores: behind a new delete marker, the removal of the old one does
     * nothing.
     */
    private FileSet deletable() {
      FileSet deletable = FileSet.none(intent.files());
      if (!hasPassed()) {
        return deletable;
      }
      FileSet all = FileSet.all(intent.files());
      deletable.addAll(intent.restoresFiles() ? all : all.where(intent::isOwn));
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
        "{}: {} died while it was committing {} files: {}",
        table,
        intent.job(),
        intent.files().size(),
        result(settled));
    return settled;
  }

  private static String result(Settled settled) {
    if (settled.end() == End.ROLLED_BACK) {
      return "no file is visible, and the job must be run again";
    }
    return settled.leftOut() == 0
        ? "all are visible now"
        : "%d of them no longer exist; all others are visible now".formatted(settled.leftOut());
  }
}
