/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.IntentFiles.Decided;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.Leases.Lease;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits a job: makes its uploads visible, then deletes the objects that they replace.
 *
 * <ol>
 *   <li>The job writes its intent at the table and passes the {@link Fence}. From here on, any
 *       process that finds the intent can end the commit.
 *   <li>The objects to be replaced are listed and written down; {@code _SUCCESS} is deleted.
 *   <li>The uploads are completed. If one fails, no further one is begun, the others are aborted,
 *       and the files that are already visible are deleted.
 *   <li>Once all files are visible, the old objects are deleted, {@code _SUCCESS} is written, and
 *       the intent is removed.
 * </ol>
 *
 * <p>An interrupt before all uploads are completed undoes the commit. After a later interrupt, the
 * commit still runs to its end.
 */
public final class JobCommit {
  private static final Logger LOG = LoggerFactory.getLogger(JobCommit.class);

  private final Means means;
  private final CountedStores stores;
  private final Output output;
  private final Function<Instant, CommittingJob> job;
  private final IntentFiles files;
  private final Targets targets = new Targets();
  private volatile boolean hasLeftIntent;

  /** The resources that all commits of a process share. */
  public record Means(Stores stores, Lanes pool, Time time, CommitConfig config, Leases leases) {}

  /**
   * The place that a job writes to.
   *
   * @param prefix of the job's output: the prefix of the table or one below it
   */
  public record Output(Table table, String prefix) {
    /** Returns the output at a key, which may end with a slash. */
    public static Output of(String bucket, String key) {
      String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
      return new Output(Table.of(bucket, key), prefix);
    }

    ObjectKey marker() {
      return new ObjectKey(table.bucket(), prefix + SuccessMarker.NAME);
    }
  }

  /**
   * @param job returns the job for the time at which its commit begins
   */
  public JobCommit(Means means, Output output, Function<Instant, CommittingJob> job) {
    this.means = means;
    this.stores = new CountedStores(means.stores());
    this.output = output;
    this.job = job;
    this.files = new IntentFiles(stores, output.table(), means.pool());
  }

  /**
   * Marks objects to be deleted when the job commits: all objects under the prefix if it ends with
   * a slash, otherwise only the object with that key.
   */
  public void replace(String bucket, String prefix) {
    targets.add(bucket, prefix, false);
  }

  /**
   * Marks the objects directly under a prefix, but not those further below, to be deleted when the
   * job commits.
   */
  public void replaceLevel(String bucket, String prefix) {
    targets.add(bucket, prefix, true);
  }

  /**
   * Returns true if a commit has failed and could not be undone. Its uploads must stay as they are:
   * the process that later ends the commit needs them.
   */
  public boolean hasLeftIntent() {
    return hasLeftIntent;
  }

  /** Commits a job whose rows were not counted. */
  public void commit(Collection<TaskUpload> uploads, SuccessMarker marker) throws IOException {
    commit(uploads, marker, OptionalLong.empty());
  }

  /**
   * Commits the job.
   *
   * @param marker kind of {@code _SUCCESS} to write
   * @param rows number of rows that the job has written, for the marker
   * @throws IOException if the commit fails; nothing of the job is visible then, unless the message
   *     says otherwise
   */
  public synchronized void commit(
      Collection<TaskUpload> uploads, SuccessMarker marker, OptionalLong rows) throws IOException {
    CommittingJob starting = job.apply(means.time().now());
    boolean isAlone =
        !targets.isEmpty() || !uploads.stream().allMatch(one -> Intent.isOwn(starting.id(), one));
    Intent intent =
        new Intent(
            starting, 0, isAlone, output.marker().key(), marker, rows, JobUploads.of(uploads));
    if (uploads.isEmpty() && targets.isEmpty()) {
      putMarker(intent);
      return;
    }
    AtomicReference<Optional<Intent>> current = new AtomicReference<>(Optional.empty());
    Lease lease = means.leases().keep(() -> renew(current.get()));
    try {
      Progress progress = new Progress(intent);
      Fence.Passed passed = fence().enter(intent, current::set);
      if (passed.isOver()) {
        LOG.warn("{}: somebody took {} for dead and has committed it", output.table(), starting);
        return;
      }
      new Run(passed, progress, lease).commit();
    } finally {
      lease.end();
    }
  }

  private void renew(Optional<Intent> current) throws IOException {
    if (current.isPresent()) {
      files.renew(current.get());
    }
  }

  private Fence fence() {
    Recovery recovery =
        new Recovery(
            stores, means.pool(), means.time(), output.table(), files, means.config().recovery());
    return new Fence(files, output.table(), recovery, means.config(), means.time());
  }

  private Settlement settlement(Intent intent) {
    return new Settlement(stores, means.pool(), means.time(), output.table(), intent);
  }

  private void putMarker(Intent intent) {
    try {
      settlement(intent).putMarker(OptionalLong.of(stores.requests(intent)));
    } catch (IOException e) {
      LOG.warn("the job has committed, but {} could not be written", output.marker(), e);
    }
  }

  /** The state of a job's uploads. Safe for many threads. */
  private final class Progress {
    final long startNanos = means.time().nowNanos();
    final Instant start = means.time().now();
    final UploadSet done;
    final UploadSet doubtful;

    Progress(Intent intent) {
      done = UploadSet.none(intent.uploads());
      doubtful = UploadSet.none(intent.uploads());
    }

    /**
     * Returns true if no process can have taken the job for dead so far. The job's decision may
     * then be removed with its intent. Both clocks are read: one stops while the machine sleeps,
     * and the other may be set.
     */
    boolean isUnseen() {
      Duration limit = Fence.LEASE.dividedBy(2);
      Duration ticked = Duration.ofNanos(means.time().nowNanos() - startNanos);
      Duration passed = Duration.between(start, means.time().now());
      return ticked.compareTo(limit) < 0 && passed.compareTo(limit) < 0;
    }
  }

  /** A commit that has passed the fence. */
  private final class Run {
    private final Fence.Passed passed;
    private final Progress progress;
    private final Lease lease;
    private final Intent intent;
    private final Settlement settlement;
    private Replaced replaced = Replaced.NOTHING;
    private Optional<Replaced> written = Optional.empty();

    Run(Fence.Passed passed, Progress progress, Lease lease) {
      this.passed = passed;
      this.progress = progress;
      this.lease = lease;
      this.intent = passed.intent();
      this.settlement = settlement(intent);
    }

    void commit() throws IOException {
      try {
        prepare();
        settlement.complete(UploadSet.all(intent.uploads()), progress.done, progress.doubtful);
        requireAllDone();
        if (files.decide(intent.id(), Decision.FORWARD).decision() == Decision.BACK) {
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

    /** Checks again that all uploads were completed, since the old data is deleted next. */
    private void requireAllDone() throws IOException {
      int done = progress.done.size();
      if (done != intent.uploads().size()) {
        throw new IOException(
            "%s: only %d of %d files were completed, and why is not known"
                .formatted(output.table(), done, intent.uploads().size()));
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
      Set<ObjectKey> old = targets.list(stores, means.pool(), output.marker());
      Replaced found = new Replaced(hasMarker, old, inPlace());
      if (intent.isAlone() || hasMarker) {
        written = Optional.of(found);
        files.put(intent, found);
      }
      replaced = found;
      if (hasMarker) {
        settlement.deleteMarker();
      }
    }

    private boolean hasMarker() throws IOException {
      try {
        stores.of(output.marker().bucket()).head(output.marker().key());
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
      intent.uploads().stream()
          .filter(upload -> !intent.isOwn(upload))
          .forEach(upload -> shared.add(ObjectKey.of(upload)));
      Set<ObjectKey> there = new LinkedHashSet<>();
      for (String bucket : shared.stream().map(ObjectKey::bucket).distinct().toList()) {
        Keys.forEachPage(
            stores.of(bucket),
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
        Decided decided = files.decide(intent.id(), Decision.BACK);
        if (decided.decision() == Decision.FORWARD) {
          return true;
        }
        settlement.abort(UploadSet.all(intent.uploads()).without(progress.done));
        // This check comes after the decision: a process that takes the job for dead from now on
        // finds the decision.
        boolean isMineAlone = progress.isUnseen();
        if (decided.isOurs()) {
          settlement.deleteNew(visible(isMineAlone), replaced);
        } // Otherwise the process that decided deletes the visible files.
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
                    .formatted(
                        progress.done.size() + progress.doubtful.size(), intent.uploads().size()),
                e));
      }
      return false;
    }

    /**
     * Returns the uploads whose files are visible, or may become visible in a moment.
     *
     * @param isMineAlone whether no other process can have taken the job for dead and completed
     *     further uploads
     */
    private UploadSet visible(boolean isMineAlone) throws IOException {
      UploadSet suspects = isMineAlone ? progress.doubtful : UploadSet.all(intent.uploads());
      UploadSet own = suspects.where(intent::isOwn);
      UploadSet shared = suspects.without(own).without(progress.done);
      UploadSet visible = UploadSet.none(intent.uploads());
      visible.addAll(progress.done);
      visible.addAll(own);
      visible.addAll(settlement.visible(shared));
      return visible;
    }

    private void finish() throws IOException {
      try {
        if (!progress.isUnseen() && !files.isThere(intent)) {
          LOG.warn("{}: somebody has ended the commit of {}", output.table(), intent.job());
          return; // Other jobs may have written the old keys again.
        }
        settlement.deleteOld(replaced);
      } catch (IOException e) {
        throw unfinished(
            "all %d files of the job are visible, but not all of the %d objects that they replace could be deleted"
                .formatted(intent.uploads().size(), replaced.old().size()),
            e);
      }
      try {
        fence().await(intent, passed);
        settlement.putMarker(OptionalLong.of(stores.requests(intent)));
        removeIntent(progress.isUnseen());
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
      files.delete(files.keysOf(intent, written, lease.end(), withDecision));
    }

    private IOException unfinished(String state, Throwable cause) {
      return new IOException(
          "%s: %s. Its intent is kept: the next job on the table, or 'penstock recover %s --write', brings it to its end (%s)"
              .formatted(output.table(), state, output.table(), intent.job()),
          cause);
    }
  }
}
