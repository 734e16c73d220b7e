/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.JobCommit.Absent;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.fence.Fence;
import io.penstock.core.commit.fence.Passed;
import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases.Lease;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  private final ReplacedObjects targets;
  private final List<Absent> absent;
  private final JobCommit.Check check;
  private final Passed passed;
  private final Intent intent;
  private final CommitSteps settlement;
  private final EndMarks marks;
  private final CommitProgress progress;
  private final CommitUndo undo;
  private Optional<ObjectMeta> marker = Optional.empty();

  /** True once only the intent of a commit that is over has to be removed. */
  private boolean isMarked;

  /** The resources of a commit that its run uses. */
  record Resources(
      CountedStores stores,
      Means means,
      IntentFiles files,
      InlineFiles inline,
      LeaseClock clock,
      LeaseClock.Moment start,
      Heartbeat heartbeat,
      Lease lease,
      Supplier<Fence> fence) {}

  CommitRun(
      Resources resources,
      Output output,
      ReplacedObjects targets,
      List<Absent> absent,
      JobCommit.Check check,
      Passed passed) {
    this.resources = resources;
    this.output = output;
    this.targets = targets;
    this.absent = absent;
    this.check = check;
    this.passed = passed;
    this.intent = passed.intent();
    Means means = resources.means();
    StoreAccess access = means.access(resources.stores());
    this.settlement = new CommitSteps(access, intent);
    this.marks = new EndMarks(access, output.table(), intent, resources.clock());
    this.progress = new CommitProgress(intent);
    this.undo = new CommitUndo(resources, output, intent, settlement, marks, progress);
  }

  /** See {@link JobCommit#hasLeftIntent}. */
  boolean hasLeftIntent() {
    return undo.hasLeftIntent();
  }

  /**
   * Commits.
   *
   * @return empty if the commit is over; otherwise the intent with which the job must pass the
   *     fence again, because it stopped for a minute before any of its files was visible
   */
  Optional<Intent> commit() throws IOException {
    try {
      check.run();
      if (hasHappened() || !mayChange()) {
        undo.withoutFailure();
        return Optional.empty();
      }
      Replaced found = findReplaced();
      if (resources.clock().hasLapsed()) {
        // Before it is written down that the job has passed the fence, nobody goes on for it.
        return Optional.of(withdraw());
      }
      writeDown(found);
      if (marker.isPresent()) {
        marks.deleteMarker(marker.get().etag(), resources.files());
      }
      publish();
      requireAllDone();
      decideForward();
    } catch (IOException | RuntimeException | Error e) {
      undo.after(e);
    }
    Uninterruptible.untilDone(progress.isEnded() ? undo::removeStrays : this::finish);
    return Optional.empty();
  }

  /**
   * Returns true if a commit with this name has happened. No other one is under way now. The
   * listing of the fence is no proof: it may have been made while the other commit ended.
   */
  private boolean hasHappened() throws IOException {
    Optional<String> record = marks.record();
    record.ifPresent(
        text ->
            LOG.warn(
                "{}: the commit '{}' has happened before, so this job writes nothing: {}",
                output,
                intent.name().orElseThrow(),
                text));
    return record.isPresent();
  }

  /** Returns false if there is something already, and the job is to do nothing then. */
  private boolean mayChange() throws IOException {
    for (Absent one : absent) {
      Optional<String> found =
          passed.whole().isPresent() && one.isAt(output.table())
              ? ReplacedObjects.first(passed.whole().get(), one.prefix())
              : ReplacedObjects.first(resources.stores().of(one.bucket()), one.prefix());
      if (found.isEmpty()) {
        continue;
      }
      if (one.isIgnored()) {
        LOG.info(
            "{}: another job has written data to this directory since this job began, so this job"
                + " writes nothing",
            output);
        return false;
      }
      String place = "s3://" + one.bucket() + "/";
      throw new FileAlreadyExistsException(
          place + one.prefix(),
          null,
          "another job has written %s%s since this job began; no file of this job is visible"
              .formatted(place, found.get()));
    }
    return true;
  }

  private Replaced findReplaced() throws IOException {
    marker = output.prefix().equals(output.table().prefix()) ? passed.marker() : marks.marker();
    Map<ObjectKey, Condition> old =
        targets.list(
            resources.stores(),
            resources.means().pool(),
            output.marker(),
            output.table(),
            passed.whole());
    settlement.requireMayDelete(old.keySet());
    return new Replaced(marker.isPresent(), old, inPlace());
  }

  /** Writes down what the commit replaces, before anything changes. */
  private void writeDown(Replaced found) throws IOException {
    progress.writes(found);
    resources.files().put(intent, found);
    progress.replaces(found);
  }

  /**
   * Returns the keys of the job that other jobs may also write to and that have an object. What it
   * restores has none: the delete markers are known.
   */
  private Set<ObjectKey> inPlace() throws IOException {
    if (intent.restoresFiles()) {
      return Set.of();
    }
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

  /** Takes the intent back, and returns the next one. Nothing is visible yet. */
  private Intent withdraw() throws IOException {
    IntentFiles files = resources.files();
    if (files.decide(intent.id(), Decision.WITHDRAWN).decision() != Decision.WITHDRAWN) {
      throw undo.takenForDead();
    }
    resources.heartbeat().takenBack();
    files.remove(intent, Optional.empty(), true, false);
    files.removeDecision(intent.id());
    return intent.next();
  }

  /**
   * Makes the files visible, the inline files first. Once they are there, the commit of a job that
   * dies can also be finished.
   */
  private void publish() throws IOException {
    FileSet inline = progress.inlineFiles();
    try {
      settlement.publish(
          inline,
          file -> resources.inline().put((InlineFile) file),
          progress.done(),
          progress.doubtful());
    } finally {
      // An attempt that was given up, and still has a thread, must not send a file from here on:
      // it could come after the commit was undone, or after another job has deleted the file.
      resources.clock().close();
    }
    FileSet uploads = FileSet.all(intent.files()).without(inline);
    settlement.publishStored(uploads, progress.done(), progress.doubtful(), resources.clock());
  }

  /** Checks again that all files are visible, since the old data is deleted next. */
  private void requireAllDone() throws IOException {
    if (progress.done().size() != intent.files().size()) {
      throw new IOException(
          "%s: only %d of %d files were completed, for an unknown reason"
              .formatted(output.table(), progress.done().size(), intent.files().size()));
    }
  }

  private void decideForward() throws IOException {
    if (!resources.files().decide(intent.id(), Decision.FORWARD).decision().isForward()) {
      throw undo.takenForDead();
    }
    undo.proveIntent();
  }

  /** Ends a commit whose files are all visible. Does no harm when it is done twice. */
  private void finish() throws IOException {
    if (isMarked) {
      undo.removeIntent(true); // An interrupt has come since.
      return;
    }
    try {
      if (!isOldDeleted()) {
        undo.endAsAnother(true);
        return;
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (!progress.replaced().old().isEmpty()) {
        throw undo.unfinished(
            "all %d files of the job are visible, but some of the %d objects that they replace could not be deleted"
                .formatted(intent.files().size(), progress.replaced().old().size()),
            e);
      }
      warnOfRest(e);
      return;
    }
    try {
      writeMarker();
      isMarked = true;
      marks.forgetOldRecords(passed.listed());
      undo.removeIntent(true);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      warnOfRest(e);
    }
  }

  /** Deletes what the job replaces. Returns false if another process may be doing the same. */
  private boolean isOldDeleted() throws IOException {
    try {
      settlement.deleteOld(progress.replaced(), resources.clock());
    } catch (LeaseClock.StaleException e) {
      return false;
    }
    return !resources.clock().hasLapsed();
  }

  private void writeMarker() throws IOException {
    try {
      resources.fence().get().await(intent, passed);
      marks.putMarker(
          OptionalLong.of(resources.stores().requests(intent)),
          !progress.replaced().hadMarker() && (passed.hasEpoch() || !passed.beside().isEmpty()));
    } catch (LeaseClock.StaleException e) {
      undo.endAsAnother(true);
      return;
    }
    if (!resources.inline().unsettled(intent).isEmpty() || marks.isMarkerUnsettled()) {
      resources.files().putSettling(intent);
    }
  }

  /** Only logs: if the job failed now, it would be run again and its rows would be doubled. */
  private void warnOfRest(Exception failure) {
    LOG.warn(
        "{}: the job has committed, but either its intent (the hidden record of this commit) could"
            + " not be removed, or {} could not be written",
        output.table(),
        SuccessMarker.NAME,
        failure);
  }
}
