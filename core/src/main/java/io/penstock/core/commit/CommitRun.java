/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.IntentFiles.Decided;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.Leases.Lease;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A commit that has passed the fence; {@link JobCommit} describes its steps. */
final class CommitRun {
  private static final Logger LOG = LoggerFactory.getLogger(CommitRun.class);

  private final Resources resources;
  private final Output output;
  private final Targets targets;
  private final Fence.Passed passed;
  private final Intent intent;
  private final Settlement settlement;
  private final FileSet done;
  private final FileSet doubtful;
  private Replaced replaced = Replaced.NOTHING;
  private Optional<Replaced> written = Optional.empty();
  private boolean hasLeftIntent;

  /** The resources of a commit that its run uses. */
  record Resources(
      CountedStores stores,
      Lanes pool,
      IntentFiles files,
      InlineFiles inline,
      LeaseClock clock,
      LeaseClock.Moment start,
      Lease lease,
      Supplier<Fence> fence) {}

  CommitRun(
      Resources resources,
      Output output,
      Targets targets,
      Fence.Passed passed,
      Settlement settlement) {
    this.resources = resources;
    this.output = output;
    this.targets = targets;
    this.passed = passed;
    this.intent = passed.intent();
    this.settlement = settlement;
    this.done = FileSet.none(intent.files());
    this.doubtful = FileSet.none(intent.files());
  }

  /** See {@link JobCommit#hasLeftIntent}. */
  boolean hasLeftIntent() {
    return hasLeftIntent;
  }

  /**
   * Returns true if no process can have taken the job for dead since its commit began. The job's
   * decision may then be removed with its intent.
   */
  private boolean isUnseen() {
    return resources.clock().isWithin(resources.start(), LeaseClock.FRESH);
  }

  void commit() throws IOException {
    try {
      prepare();
      publish();
      requireAllDone();
      if (resources.files().decide(intent.id(), Decision.FORWARD).decision() == Decision.BACK) {
        throw takenForDead();
      }
    } catch (IOException | RuntimeException | Error e) {
      boolean[] isVisible = new boolean[1];
      // The failure may have come from an interrupt.
      Uninterruptible.run(() -> isVisible[0] = isVisibleAllTheSame(e));
      if (!isVisible[0]) {
        throw e;
      }
    }
    Uninterruptible.run(this::finish);
  }

  /**
   * Makes the files visible, the inline files first. Once they are there, the commit of a job that
   * dies can also be finished.
   */
  private void publish() throws IOException {
    FileSet inline = inlineFiles();
    try {
      settlement.publish(inline, file -> resources.inline().put((InlineFile) file), done, doubtful);
    } finally {
      // An attempt that was given up, and still has a thread, must not send a file from here on:
      // it could come after the commit was undone, or after another job has deleted the file.
      resources.clock().close();
    }
    FileSet uploads = FileSet.all(intent.files()).without(inline);
    settlement.publish(uploads, file -> settlement.complete((TaskUpload) file), done, doubtful);
  }

  private FileSet inlineFiles() {
    return FileSet.all(intent.files()).where(InlineFile.class::isInstance);
  }

  /** Checks again that all files are visible, since the old data is deleted next. */
  private void requireAllDone() throws IOException {
    if (done.size() != intent.files().size()) {
      throw new IOException(
          "%s: only %d of %d files were completed, and why is not known"
              .formatted(output.table(), done.size(), intent.files().size()));
    }
  }

  private IOException takenForDead() {
    return new IOException(
        "%s: somebody has taken this job for dead while it committed, and undoes it: %s"
            .formatted(output.table(), intent.job()));
  }

  /** Writes down what the commit replaces, before anything changes. */
  private void prepare() throws IOException {
    boolean hasMarker =
        output.prefix().equals(output.table().prefix()) ? passed.hasMarker() : hasMarker();
    Set<ObjectKey> old = targets.list(resources.stores(), resources.pool(), output.marker());
    Replaced found = new Replaced(hasMarker, old, inPlace());
    if (intent.isAlone() || hasMarker) {
      written = Optional.of(found);
      resources.files().put(intent, found);
    }
    replaced = found;
    if (hasMarker) {
      settlement.deleteMarker();
    }
  }

  private boolean hasMarker() throws IOException {
    try {
      resources.stores().of(output.marker().bucket()).head(output.marker().key());
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }

  /** Returns the keys of the job that other jobs may also write to and that have an object. */
  private Set<ObjectKey> inPlace() throws IOException {
    Set<ObjectKey> shared = new HashSet<>();
    intent.files().stream()
        .filter(file -> !intent.isOwn(file))
        .forEach(file -> shared.add(ObjectKey.of(file)));
    Set<ObjectKey> there = new LinkedHashSet<>();
    for (String bucket : shared.stream().map(ObjectKey::bucket).distinct().toList()) {
      Keys.forEachPage(
          resources.stores().of(bucket),
          ListRequest.flat(output.prefix()),
          page ->
              page.objects().stream()
                  .map(object -> new ObjectKey(bucket, object.key()))
                  .filter(shared::contains)
                  .forEach(there::add));
    }
    return there;
  }

  /**
   * Undoes the commit, unless another process has found the intent and finished the commit.
   *
   * @return true if another process has finished the commit
   */
  private boolean isVisibleAllTheSame(Throwable failure) {
    try {
      Decided decided = resources.files().decide(intent.id(), Decision.BACK);
      if (decided.decision() == Decision.FORWARD) {
        FileSet leftOut = leftOut();
        if (!leftOut.isEmpty()) {
          failure.addSuppressed(wasForwardedWithout(leftOut));
        }
        return leftOut.isEmpty();
      }
      settlement.abort(FileSet.all(intent.files()).without(done));
      // This check comes after the decision: a process that takes the job for dead from now on
      // finds the decision.
      boolean isMineAlone = isUnseen();
      if (decided.isOurs()) {
        settlement.deleteNew(visible(isMineAlone), replaced);
      } else {
        // The process that decided deletes the visible files. This one may have put some since.
        settlement.deleteNew(inlineFiles(), replaced);
      }
      deleteLateFiles();
      if (replaced.hadMarker()) {
        settlement.restoreMarker();
      }
      if (decided.isOurs()) {
        removeIntent(isMineAlone);
      }
    } catch (IOException | RuntimeException | Error e) {
      hasLeftIntent = true;
      failure.addSuppressed(
          unfinished(
              "the commit could not be undone: up to %d of %d files are visible"
                  .formatted(done.size() + doubtful.size(), intent.files().size()),
              e));
    }
    return false;
  }

  /**
   * Returns the files that are missing although another process has finished the commit. {@code
   * penstock recover --forward} leaves out inline files, whose content only this process has.
   */
  private FileSet leftOut() throws IOException {
    FileSet rest = inlineFiles().without(done);
    return rest.without(settlement.visible(rest));
  }

  private IOException wasForwardedWithout(FileSet leftOut) {
    return new IOException(
        "%s: 'penstock recover --forward' has ended this commit without %d of its %d files, whose content only this process had. The other files are visible: an append that is run again doubles their rows"
            .formatted(output.table(), leftOut.size(), intent.files().size()));
  }

  /** Deletes the inline files again once no PUT without an answer can write them any more. */
  private void deleteLateFiles() throws IOException {
    if (!resources.inline().unsettled(intent).isEmpty()) {
      resources.inline().awaitSettled(intent);
      settlement.deleteNew(inlineFiles(), replaced);
    }
  }

  /**
   * Returns the files that are visible, or may become visible in a moment.
   *
   * @param isMineAlone whether no other process can have taken the job for dead and completed
   *     further uploads
   */
  private FileSet visible(boolean isMineAlone) throws IOException {
    FileSet suspects = isMineAlone ? doubtful : FileSet.all(intent.files());
    FileSet own = suspects.where(intent::isOwn);
    FileSet shared = suspects.without(own).without(done);
    FileSet visible = FileSet.none(intent.files());
    visible.addAll(done);
    visible.addAll(own);
    visible.addAll(settlement.visible(shared));
    return visible;
  }

  private void finish() throws IOException {
    try {
      if (!isUnseen() && !resources.files().isThere(intent)) {
        LOG.warn("{}: somebody has ended the commit of {}", output.table(), intent.job());
        return; // Other jobs may have written the old keys again.
      }
      settlement.deleteOld(replaced);
    } catch (IOException e) {
      throw unfinished(
          "all %d files of the job are visible, but not all of the %d objects that they replace could be deleted"
              .formatted(intent.files().size(), replaced.old().size()),
          e);
    }
    try {
      resources.fence().get().await(intent, passed);
      settlement.putMarker(OptionalLong.of(resources.stores().requests(intent)));
      if (!resources.inline().unsettled(intent).isEmpty()) {
        resources.files().putSettling(intent);
      }
      removeIntent(isUnseen());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The job has committed; the next job cleans up.
    } catch (IOException e) {
      // If the job failed now, it would be run again and its rows would be doubled.
      LOG.warn(
          "{}: the job has committed, but its intent or {} is left as it is",
          output.table(),
          SuccessMarker.NAME,
          e);
    }
  }

  private void removeIntent(boolean withDecision) throws IOException {
    resources
        .files()
        .delete(resources.files().keysOf(intent, written, resources.lease().end(), withDecision));
  }

  private IOException unfinished(String state, Throwable cause) {
    return new IOException(
        "%s: %s. Its intent is kept: the next job on the table, or 'penstock recover %s --write', brings it to its end (%s)"
            .formatted(output.table(), state, output.table(), intent.job()),
        cause);
  }
}
