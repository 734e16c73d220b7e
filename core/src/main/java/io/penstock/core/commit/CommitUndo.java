/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.CommitRun.Resources;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.fence.Fence;
import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Decided;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Undoes a commit that has failed, and removes what a commit leaves. */
final class CommitUndo {
  private static final Logger LOG = LoggerFactory.getLogger(CommitUndo.class);

  private final Resources resources;
  private final Output output;
  private final Intent intent;
  private final CommitSteps settlement;
  private final EndMarks marks;
  private final CommitProgress progress;
  private boolean hasLeftIntent;

  /** True once only the intent has to be removed. */
  private boolean isUndone;

  CommitUndo(
      Resources resources,
      Output output,
      Intent intent,
      CommitSteps settlement,
      EndMarks marks,
      CommitProgress progress) {
    this.resources = resources;
    this.output = output;
    this.intent = intent;
    this.settlement = settlement;
    this.marks = marks;
    this.progress = progress;
  }

  /** See {@link JobCommit#hasLeftIntent}. */
  boolean hasLeftIntent() {
    return hasLeftIntent;
  }

  /** Tells that the intent was removed, and not by a process that has committed the job. */
  private static final class GoneException extends IOException {
    private static final long serialVersionUID = 1L;

    private GoneException(String message) {
      super(message);
    }
  }

  /** Tells that another process has committed the job without some of its files. */
  private static final class LeftOutException extends IOException {
    private static final long serialVersionUID = 1L;

    private LeftOutException(String message) {
      super(message);
    }
  }

  IOException takenForDead() {
    return new IOException(
        "%s: another process considered this job dead, because it gave no sign of life for %d s, and is undoing its commit. No file of this job stays visible. Run the job again: %s"
            .formatted(output.table(), Leases.DURATION.toSeconds(), intent.job()));
  }

  IOException unfinished(String state, Throwable cause) {
    return new IOException(
        "%s: %s. The intent of the commit is kept. The next job that writes to the table, or 'penstock recover %s --write', will complete or undo the commit (%s)"
            .formatted(output.table(), state, output.table(), intent.job()),
        cause);
  }

  /**
   * Checks that the intent is still in place. Everything rests on it: if the directory was deleted
   * or renamed meanwhile, some of the files may be gone with it. Notes if another process has
   * committed the job.
   *
   * @throws IOException if the intent is gone, and no process has committed the job
   */
  void proveIntent() throws IOException {
    // A listing needs no other right than the fence has needed.
    if (resources.files().own(intent).isThere()) {
      return;
    }
    Optional<Decision> decision = resources.files().decision(intent.id());
    if (decision.equals(Optional.of(Decision.ENDED_FORWARD))) {
      LOG.warn("{}: another process has completed the commit of {}", output.table(), intent.job());
      progress.ended();
      return;
    }
    if (!resources.clock().isWithin(resources.start(), Fence.STRAYS_STAY)) {
      // Another process may have committed the job, and its answer is kept for a day only.
      hasLeftIntent = true;
      throw new IOException(
          "%s: this job was paused for more than a day, and its intent is gone. The job's %d files were left as they are. Check whether they are visible before you run the job again: %s"
              .formatted(output.table(), intent.files().size(), intent.job()));
    }
    throw new GoneException(
        "%s: the directory was deleted or renamed while this job committed, and the intent of the commit is gone. No file of this job stays visible. Run the job again: %s"
            .formatted(output.table(), intent.job()));
  }

  /**
   * Undoes the commit after a failure. Returns normally only if another process has committed the
   * job all the same.
   *
   * @param failure an IOException or an unchecked one
   * @throws IOException the failure, or one that explains it better
   */
  void after(Throwable failure) throws IOException {
    if (hasLeftIntent) {
      throw thrown(failure);
    }
    boolean wasUndone = lacksUpload(failure) && !hasIntent();
    boolean[] isCommitted = new boolean[1];
    boolean[] isOurs = {true};
    try {
      Uninterruptible.untilDone(
          () -> {
            if (isUndone) {
              removeIntent(false);
              return;
            }
            if (failure instanceof GoneException) {
              undoWhereverItIs();
              return;
            }
            Decided decided = resources.files().decide(intent.id(), Decision.BACK);
            isOurs[0] = decided.isOurs();
            isCommitted[0] = decided.decision().isForward();
            if (isCommitted[0]) {
              requireNothingLeftOut();
              proveIntent();
            } else {
              undo(decided.isOurs());
            }
          });
    } catch (LeftOutException | GoneException e) {
      failure.addSuppressed(e);
      throw thrown(failure);
    } catch (IOException | RuntimeException | Error e) {
      hasLeftIntent = true;
      failure.addSuppressed(
          unfinished(
              "the commit could not be undone: up to %d of %d files are visible. Do not run the job again until the commit has been undone"
                  .formatted(
                      progress.done().size() + progress.doubtful().size(), intent.files().size()),
              e));
      throw thrown(failure);
    }
    if (isCommitted[0]) {
      return;
    }
    boolean isStale = LeaseClock.StaleException.isCauseOf(failure);
    if (wasUndone || (!isOurs[0] && (isStale || lacksUpload(failure)))) {
      IOException explained = takenForDead();
      explained.initCause(failure);
      throw explained;
    }
    throw thrown(failure);
  }

  /** Returns true if an upload was gone, as after another process has undone the commit. */
  private static boolean lacksUpload(Throwable failure) {
    return failure instanceof StoreException e && e.kind() == Kind.NO_SUCH_UPLOAD;
  }

  private boolean hasIntent() {
    try {
      return resources.files().own(intent).isThere();
    } catch (IOException e) {
      return true; // It decides about a message only.
    }
  }

  private static IOException thrown(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }

  /** Takes back a commit of which nothing is visible. */
  void withoutFailure() throws IOException {
    Uninterruptible.untilDone(
        () -> undo(resources.files().decide(intent.id(), Decision.BACK).isOurs()));
  }

  /** Fails if another process has decided to go forward without files that only this one has. */
  private void requireNothingLeftOut() throws IOException {
    FileSet rest = progress.inlineFiles().without(progress.done());
    FileSet leftOut = rest.without(settlement.visible(rest));
    if (!leftOut.isEmpty()) {
      throw new LeftOutException(
          "%s: 'penstock recover --forward' has completed this commit without %d of its %d files, because only this process had their content. The other files are visible, so their rows appear twice if you run an append again"
              .formatted(output.table(), leftOut.size(), intent.files().size()));
    }
  }

  /**
   * Undoes the commit after the decision to go back.
   *
   * @param isOurs whether this process has made the decision
   */
  private void undo(boolean isOurs) throws IOException {
    settlement.abort(FileSet.all(intent.files()).without(progress.done()));
    // This check comes after the decision: a process that takes the job for dead from now on
    // finds the decision.
    boolean isMineAlone = resources.clock().isWithin(resources.start(), LeaseClock.FRESH);
    if (isOurs) {
      settlement.deleteNew(visible(isMineAlone), progress.replaced(), resources.clock());
    } else {
      // The process that decided deletes the visible files. This one may have put some since.
      settlement.deleteNew(progress.inlineFiles(), progress.replaced(), resources.clock());
    }
    deleteLateFiles();
    if (!isOurs) {
      if (!resources.files().isThere(intent)) {
        removeStrays();
      }
    } else if (resources.clock().hasLapsed()) {
      endAsAnother(false);
    } else {
      if (progress.written().isPresent()) {
        marks.markUndone(progress.replaced(), resources.files());
        if (marks.isMarkerUnsettled()) {
          resources.files().putSettling(intent);
        }
      }
      isUndone = true;
      removeIntent(false);
    }
  }

  /** Deletes what is visible of a job whose directory somebody has deleted or renamed. */
  private void undoWhereverItIs() throws IOException {
    settlement.abort(FileSet.all(intent.files()).without(progress.done()));
    settlement.deleteNew(visible(false), progress.replaced(), resources.clock());
    deleteLateFiles();
    removeStrays();
  }

  /** Deletes the inline files again once no PUT without an answer can write them any more. */
  private void deleteLateFiles() throws IOException {
    if (!resources.inline().unsettled(intent).isEmpty()) {
      resources.inline().awaitSettled(intent);
      settlement.deleteNew(progress.inlineFiles(), progress.replaced(), resources.clock());
    }
  }

  /**
   * Returns the files that are visible, or may become visible in a moment.
   *
   * @param isMineAlone whether no other process can have taken the job for dead and completed
   *     further uploads
   */
  private FileSet visible(boolean isMineAlone) throws IOException {
    FileSet suspects = isMineAlone ? progress.doubtful() : FileSet.all(intent.files());
    if (intent.restoresFiles()) {
      return restored(suspects);
    }
    FileSet own = suspects.where(intent::isOwn);
    FileSet shared = suspects.without(own).without(progress.done());
    FileSet visible = FileSet.none(intent.files());
    visible.addAll(progress.done());
    visible.addAll(own);
    visible.addAll(settlement.visible(shared));
    return visible;
  }

  /**
   * Returns the files to delete again. A removal of delete markers that comes late shows nothing
   * behind new ones, so it does not matter which are visible. Nobody can tell who has restored a
   * file: it was this commit if that is written down, and its intent keeps others away.
   */
  private FileSet restored(FileSet suspects) throws IOException {
    FileSet restored = FileSet.none(intent.files());
    if (progress.written().isPresent() && resources.files().isThere(intent)) {
      restored.addAll(progress.done());
      restored.addAll(suspects);
    }
    return restored;
  }

  /**
   * Brings the decided commit to its end under another intent: this job has stopped for a minute,
   * so another process may be doing the same.
   */
  void endAsAnother(boolean isForward) throws IOException {
    // After the end, a PUT that comes late would bring a file back that another job has deleted.
    resources.inline().awaitSettled(intent);
    resources.lease().end();
    Means means = resources.means();
    Seen seen = resources.files().list().intents().get(intent.id());
    if (seen != null) {
      CommittingJob self = intent.job().named("-end");
      new FencedRecovery(means.access(resources.stores()), output.table(), means.leases())
          .settle(self, seen, isForward ? Direction.FORWARD : Direction.BACK, false);
    }
    removeStrays();
  }

  /** Removes what this process has left of an intent that another process has removed. */
  void removeStrays() throws IOException {
    resources.lease().end();
    try {
      marks.awaitIntentSettled();
      resources.files().removeStrays(intent.id());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("{}: could not delete the hidden objects of {}", output.table(), intent.job(), e);
    }
  }

  /**
   * Removes the intent of a commit that is over. A store deletes the keys of one request in any
   * order, and without the decision to go forward, whoever finds the rest of the intent would undo
   * an append, and a reader would hide the files unless {@code _SUCCESS} tells that they are
   * complete. The decision goes by a request of its own then. It stays if a PUT of the intent may
   * still arrive, and bring it back.
   */
  void removeIntent(boolean isForward) throws IOException {
    IntentFiles files = resources.files();
    boolean hasLease = resources.lease().end();
    boolean mayRevive = resources.inline().isAnyUnsettled(files.keysThatRevive(intent));
    boolean isNeeded = intent.isUndoneByDefault() || !intent.marks(output.table());
    boolean isApart = mayRevive || (isForward && isNeeded);
    files.removeOrEnd(
        intent.id(),
        isForward,
        () -> {
          files.remove(intent, progress.written(), hasLease, !isApart);
          if (isApart && !mayRevive) {
            files.removeDecision(intent.id());
          }
        });
  }
}
