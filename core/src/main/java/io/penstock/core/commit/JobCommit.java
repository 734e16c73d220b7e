/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.IntentFiles.Decided;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.Leases.Lease;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Shielded;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a job: makes its uploads visible, then deletes what they replace.
 *
 * <ol>
 *   <li>The job writes its intent at the table and passes the {@link Fence}: from here on, whoever
 *       finds the intent can bring the commit to its end.
 *   <li>What is to be replaced is listed, and written down; {@code _SUCCESS} is deleted.
 *   <li>The uploads are completed. When one fails, no further one is begun, the others are aborted,
 *       and what is visible is deleted.
 *   <li>Once all are visible, the old objects are deleted, {@code _SUCCESS} is written, and the
 *       intent is removed.
 * </ol>
 *
 * <p>An interrupt before all uploads are completed undoes the commit; a later one waits for its
 * end.
 */
public final class JobCommit {
  private static final Logger LOG = LoggerFactory.getLogger(JobCommit.class);

  private final Means means;
  private final Output output;
  private final CommittingJob job;
  private IntentFiles files;
  private final Set<Target> targets = new LinkedHashSet<>();
  private volatile boolean hasLeftIntent;

  /** What commits of a process share. */
  public record Means(Stores stores, Lanes pool, Time time, CommitConfig config, Leases leases) {}

  /**
   * Where a job writes to.
   *
   * @param prefix of its output, under that of the table
   */
  public record Output(Table table, String prefix) {
    /** Returns the output at a key, which may end with a slash. */
    public static Output of(String bucket, String key) {
      String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
      return new Output(Table.of(bucket, key), prefix);
    }

    String markerKey() {
      return prefix + Marker.NAME;
    }
  }

  /**
   * Objects that go: all under a prefix, or one.
   *
   * @param isFlat whether only those directly under the prefix go
   */
  private record Target(String bucket, String prefix, boolean isFlat) {}

  /** What has become of a job's uploads. Safe for many threads. */
  private final class Progress {
    final long startNanos = means.time().nowNanos();
    final Instant start = means.time().now();
    final Set<TaskUpload> done = ConcurrentHashMap.newKeySet();
    final Set<TaskUpload> doubtful = ConcurrentHashMap.newKeySet();
    Replaced replaced = Replaced.NOTHING;
    boolean hasWrittenReplaced;

    /**
     * Returns true if nobody can have taken the job for dead so far. Its decision need not stay
     * then. Both clocks are asked: one stands still while a machine sleeps, the other may be set.
     */
    boolean isUnseen() {
      Duration limit = Fence.LEASE.dividedBy(2);
      Duration ticked = Duration.ofNanos(means.time().nowNanos() - startNanos);
      Duration passed = Duration.between(start, means.time().now());
      return ticked.compareTo(limit) < 0 && passed.compareTo(limit) < 0;
    }
  }

  /**
   * @param job whose commit begins when it is asked for, whatever it says
   */
  public JobCommit(Means means, Output output, CommittingJob job) {
    this.means = means;
    this.output = output;
    this.job = job;
  }

  /**
   * Notes that objects go when the job commits: all under a prefix that ends with a slash, or just
   * the one with that key.
   */
  public void replace(String bucket, String prefix) {
    replace(new Target(bucket, prefix, false));
  }

  /** Notes the objects directly under a prefix, and none further below. */
  public void replaceLevel(String bucket, String prefix) {
    replace(new Target(bucket, prefix, true));
  }

  private synchronized void replace(Target target) {
    if (target.prefix().isEmpty()) {
      throw new IllegalArgumentException(
          "overwriting the root of s3://" + target.bucket() + " would delete the whole bucket");
    }
    targets.add(target);
  }

  /**
   * Commits the job.
   *
   * @param marker what to leave at {@code _SUCCESS}
   * @throws IOException when nothing of the job is visible, unless its message says otherwise
   */
  public synchronized void commit(Collection<TaskUpload> uploads, Marker marker)
      throws IOException {
    files =
        new IntentFiles(means.stores().of(output.table().bucket()), output.table(), means.pool());
    CommittingJob starting = job.startingAt(means.time().now());
    boolean isAlone =
        !targets.isEmpty() || !uploads.stream().allMatch(one -> Intent.isOwn(job.id(), one));
    Intent intent =
        new Intent(starting, 0, isAlone, output.markerKey(), marker, List.copyOf(uploads));
    if (uploads.isEmpty() && targets.isEmpty()) {
      putMarker(settlement(intent));
      return;
    }
    AtomicReference<Optional<Intent>> current = new AtomicReference<>(Optional.empty());
    Lease lease =
        means
            .leases()
            .keep(
                () -> {
                  Optional<Intent> there = current.get();
                  if (there.isPresent()) {
                    files.renew(there.get());
                  }
                });
    try {
      Progress progress = new Progress();
      Fence.Passed passed = fence().enter(intent, current::set);
      if (passed.isOver()) {
        LOG.warn("{}: somebody took {} for dead and has committed it", output.table(), starting);
        return;
      }
      commit(passed, progress, lease);
    } finally {
      lease.end();
    }
  }

  /**
   * Returns true if a commit has failed that could not be undone. Its uploads must stay as they
   * are: whoever brings it to its end needs them.
   */
  public boolean hasLeftIntent() {
    return hasLeftIntent;
  }

  private Fence fence() {
    Recovery recovery =
        new Recovery(
            means.stores(),
            means.pool(),
            means.time(),
            output.table(),
            files,
            means.config().recovery());
    return new Fence(files, output.table(), recovery, means.config(), means.time());
  }

  private Settlement settlement(Intent intent) {
    return new Settlement(means.stores(), means.pool(), means.time(), output.table(), intent);
  }

  private void commit(Fence.Passed passed, Progress progress, Lease lease) throws IOException {
    Intent intent = passed.intent();
    Settlement settlement = settlement(intent);
    try {
      prepare(intent, passed, settlement, progress);
      settlement.complete(intent.uploads(), progress.done, progress.doubtful);
      if (files.decide(intent.id(), Decision.FORWARD).decision() == Decision.BACK) {
        throw takenForDead();
      }
    } catch (IOException | RuntimeException | Error e) {
      boolean[] isVisible = new boolean[1];
      // An interrupt may be what made it fail.
      Shielded.run(
          () -> isVisible[0] = isVisibleAllTheSame(intent, settlement, progress, lease, e));
      if (!isVisible[0]) {
        throw e;
      }
    }
    Shielded.run(() -> finish(intent, passed, settlement, progress, lease));
  }

  private IOException takenForDead() {
    return new IOException(
        "%s: somebody has taken this job for dead while it committed, and undone it: %s"
            .formatted(output.table(), job));
  }

  /** Writes down what goes, before anything changes. */
  private void prepare(Intent intent, Fence.Passed passed, Settlement settlement, Progress progress)
      throws IOException {
    boolean hasMarker =
        output.prefix().equals(output.table().prefix()) ? passed.hasMarker() : hasMarker();
    Replaced replaced = new Replaced(hasMarker, old(), inPlace(intent));
    if (intent.isAlone() || hasMarker) {
      files.put(intent, replaced);
      progress.hasWrittenReplaced = true;
    }
    progress.replaced = replaced;
    if (hasMarker) {
      settlement.deleteMarker();
    }
  }

  private boolean hasMarker() throws IOException {
    try {
      means.stores().of(output.table().bucket()).head(output.markerKey());
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }

  /** Lists what goes. Intents and markers have their own ends. */
  private Set<ObjectKey> old() throws IOException {
    Set<ObjectKey> keys = new LinkedHashSet<>();
    for (Target target : targets) {
      if (!target.prefix().endsWith("/")) {
        keys.add(new ObjectKey(target.bucket(), target.prefix()));
        continue;
      }
      ListRequest request =
          target.isFlat() ? ListRequest.level(target.prefix()) : ListRequest.flat(target.prefix());
      Keys.forEachPage(
          means.stores().of(target.bucket()),
          request,
          page -> {
            for (ObjectMeta object : page.objects()) {
              keys.add(new ObjectKey(target.bucket(), object.key()));
            }
          });
    }
    keys.removeIf(key -> isKept(key));
    return keys;
  }

  private boolean isKept(ObjectKey key) {
    boolean isMarker =
        key.bucket().equals(output.table().bucket()) && key.key().equals(output.markerKey());
    // So are the lists of jobs that are still at work, and the claims of checkpoints.
    boolean isOurs = ("/" + key.key()).contains("/_penstock_");
    return isMarker || isOurs;
  }

  /** Returns the keys of the job that are not its own alone, and have an object. */
  private Set<ObjectKey> inPlace(Intent intent) throws IOException {
    Set<ObjectKey> foreign = new LinkedHashSet<>();
    intent.uploads().stream()
        .filter(upload -> !intent.isOwn(upload))
        .forEach(upload -> foreign.add(ObjectKey.of(upload)));
    if (foreign.isEmpty()) {
      return Set.of();
    }
    Set<ObjectKey> there = new LinkedHashSet<>();
    for (String bucket : foreign.stream().map(ObjectKey::bucket).distinct().toList()) {
      for (ObjectMeta object : Keys.under(means.stores().of(bucket), output.prefix())) {
        there.add(new ObjectKey(bucket, object.key()));
      }
    }
    there.retainAll(foreign);
    return there;
  }

  /**
   * Undoes the commit. Another process may have found the intent and finished it; then there is
   * nothing to undo any more.
   *
   * @return whether that is so
   */
  private boolean isVisibleAllTheSame(
      Intent intent, Settlement settlement, Progress progress, Lease lease, Throwable failure) {
    try {
      Decided decided = files.decide(intent.id(), Decision.BACK);
      if (decided.decision() == Decision.FORWARD) {
        return true;
      }
      settlement.abort(
          intent.uploads().stream().filter(upload -> !progress.done.contains(upload)).toList());
      if (!decided.isOurs()) {
        if (progress.replaced.hadMarker()) {
          settlement.restoreMarker();
        }
        return false; // Who decided deletes what is visible.
      }
      // Asked after the decision: who takes the job for dead from now on finds that.
      boolean isMineAlone = progress.isUnseen();
      settlement.deleteNew(visible(intent, settlement, progress, isMineAlone), progress.replaced);
      if (progress.replaced.hadMarker()) {
        settlement.restoreMarker();
      }
      files.delete(files.keysOf(intent, progress.hasWrittenReplaced, lease.end(), isMineAlone));
    } catch (IOException | RuntimeException | Error e) {
      hasLeftIntent = true;
      failure.addSuppressed(
          Settlement.unfinished(
              output.table(),
              intent,
              "the commit could not be undone: up to %d of %d files are visible"
                  .formatted(
                      progress.done.size() + progress.doubtful.size(), intent.uploads().size()),
              e));
    }
    return false;
  }

  /**
   * Returns the uploads that are visible, or may be so in a moment.
   *
   * @param isMineAlone whether nobody can have completed others, having taken the job for dead
   */
  private static Set<TaskUpload> visible(
      Intent intent, Settlement settlement, Progress progress, boolean isMineAlone)
      throws IOException {
    Set<TaskUpload> visible = new LinkedHashSet<>(progress.done);
    Set<TaskUpload> shared = new LinkedHashSet<>();
    Collection<TaskUpload> suspects = isMineAlone ? progress.doubtful : intent.uploads();
    for (TaskUpload upload : suspects) {
      (intent.isOwn(upload) ? visible : shared).add(upload);
    }
    shared.removeAll(progress.done);
    visible.addAll(settlement.visible(shared));
    return visible;
  }

  private void finish(
      Intent intent, Fence.Passed passed, Settlement settlement, Progress progress, Lease lease)
      throws IOException {
    try {
      settlement.deleteOld(progress.replaced);
    } catch (IOException e) {
      throw Settlement.unfinished(
          output.table(),
          intent,
          "all %d files of the job are visible, but not all of the %d objects that they replace could be deleted"
              .formatted(intent.uploads().size(), progress.replaced.old().size()),
          e);
    }
    try {
      fence().await(intent, passed);
      settlement.putMarker();
      files.delete(
          files.keysOf(intent, progress.hasWrittenReplaced, lease.end(), progress.isUnseen()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // To fail the job would have it run again, and its rows doubled.
      LOG.warn(
          "{}: the job has committed, but its intent or {} is left as it is",
          output.table(),
          Marker.NAME,
          e);
    }
  }

  private void putMarker(Settlement settlement) {
    try {
      settlement.putMarker();
    } catch (IOException e) {
      LOG.warn("the job has committed, but {} could not be written", output.markerKey(), e);
    }
  }
}
