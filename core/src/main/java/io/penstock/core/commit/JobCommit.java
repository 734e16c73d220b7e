/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.Leases.Lease;
import io.penstock.core.pool.Lanes;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final List<Absent> absent = new CopyOnWriteArrayList<>();
  private volatile boolean hasLeftIntent;

  /** A place that must be empty at commit. */
  record Absent(String bucket, String prefix, boolean isIgnored) {}

  /** The resources that all commits of a process share. */
  public record Means(
      Stores stores,
      Lanes pool,
      Time time,
      CommitConfig config,
      Leases leases,
      UnansweredPuts unansweredPuts) {}

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
   * a slash, otherwise only the object with that key. Call it before {@link #commit}.
   *
   * @throws IllegalArgumentException when the prefix is empty, because that would delete the bucket
   */
  public void replace(String bucket, String prefix) {
    targets.add(bucket, prefix, false);
  }

  /**
   * Marks the objects directly under a prefix, but not those further below, to be deleted when the
   * job commits. A prefix without a slash at its end is one key, as for {@link #replace}. Call it
   * before {@link #commit}.
   *
   * @throws IllegalArgumentException when the prefix is empty, because that would delete the bucket
   */
  public void replaceLevel(String bucket, String prefix) {
    targets.add(bucket, prefix, true);
  }

  /**
   * Requires that nothing is under a prefix when the job commits. The commit is alone then. If it
   * finds an object there inside the fence, other than Penstock's own and a directory's marker, it
   * makes nothing visible. Call it before {@link #commit}.
   *
   * @param prefix ends with a slash
   * @param isIgnored whether the job then ends successfully; otherwise it fails and names the
   *     object
   */
  public void requireAbsent(String bucket, String prefix, boolean isIgnored) {
    absent.add(new Absent(bucket, prefix, isIgnored));
  }

  /**
   * Returns true if a commit has failed and could not be undone. Its uploads must stay as they are:
   * the process that later ends the commit needs them.
   */
  public boolean hasLeftIntent() {
    return hasLeftIntent;
  }

  /** Commits a job whose rows were not counted. */
  public void commit(Collection<TaskFile> own, SuccessMarker marker) throws IOException {
    commit(own, marker, OptionalLong.empty());
  }

  /**
   * Commits the job. Waits at most {@link CommitConfig#waitMax} for commits that are in the way.
   * Returns normally also when another process has found the intent and finished the commit. Called
   * once for each job.
   *
   * @param own all files of the job
   * @param marker kind of {@code _SUCCESS} to write
   * @param rows number of rows that the job has written, for the marker; empty if nobody counted
   *     them
   * @throws java.io.InterruptedIOException when interrupted before all files are visible; the
   *     commit is undone then, and the interrupt flag is set
   * @throws IOException if the commit fails; nothing of the job is visible then, unless the message
   *     says otherwise; see {@link #hasLeftIntent}
   */
  public synchronized void commit(Collection<TaskFile> own, SuccessMarker marker, OptionalLong rows)
      throws IOException {
    CommittingJob starting = job.apply(means.time().now());
    boolean isAlone =
        !targets.isEmpty() || !own.stream().allMatch(one -> Intent.isOwn(starting.id(), one.key()));
    Intent intent =
        new Intent(starting, 0, isAlone, output.marker().key(), marker, rows, PackedFiles.of(own));
    if (own.isEmpty() && targets.isEmpty()) {
      putMarker(intent);
      return;
    }
    AtomicReference<Optional<Intent>> current = new AtomicReference<>(Optional.empty());
    LeaseClock clock = new LeaseClock(means.time());
    LeaseClock.Moment start = clock.now();
    Lease lease = means.leases().keep(() -> renew(current, clock));
    try {
      Fence.Passed passed =
          fence()
              .enter(
                  intent,
                  put -> {
                    clock.renewed(clock.now());
                    current.set(put);
                  });
      if (passed.isOver()) {
        LOG.warn("{}: somebody took {} for dead and has committed it", output.table(), starting);
        return;
      }
      CommitRun run = run(passed, clock, start, lease);
      try {
        run.commit();
      } finally {
        hasLeftIntent = run.hasLeftIntent();
      }
    } finally {
      lease.end();
    }
  }

  private CommitRun run(
      Fence.Passed passed, LeaseClock clock, LeaseClock.Moment start, Lease lease) {
    InlineFiles inline =
        new InlineFiles(
            stores, means.time(), clock, means.unansweredPuts(), means.config().storeWaitMax());
    return new CommitRun(
        new CommitRun.Resources(
            stores, means.pool(), files, inline, clock, start, lease, this::fence),
        output,
        targets,
        passed,
        settlement(passed.intent()));
  }

  private void renew(AtomicReference<Optional<Intent>> current, LeaseClock clock)
      throws IOException {
    renewOnce(current.get(), clock);
    if (!clock.isRecent() && !clock.isDecided()) {
      // The renewal took so long that it is worth nothing any more.
      renewOnce(current.get(), clock);
    }
  }

  /** Renews the lease, and looks whether another process has decided about the commit. */
  private void renewOnce(Optional<Intent> intent, LeaseClock clock) throws IOException {
    if (intent.isEmpty()) {
      return;
    }
    LeaseClock.Moment before = clock.now();
    files.renew(intent.get());
    // The look comes second: a process that decides later sees the renewal.
    Optional<Decision> decision = files.decision(intent.get().id());
    if (decision.isEmpty()) {
      clock.renewed(before);
    } else if (decision.get() != Decision.WITHDRAWN) {
      // The renewals go on: the decision may be the job's own, and its undo may take minutes.
      clock.decided();
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
}
