/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.fence.Fence;
import io.penstock.core.commit.fence.HiddenIntentException;
import io.penstock.core.commit.fence.Passed;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.lease.Leases.Lease;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.commit.once.DoneCommits;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
  private final ReplacedObjects targets = new ReplacedObjects();
  private final Set<Absent> absent = new LinkedHashSet<>();
  private Check check = () -> {};
  private Optional<CommitId> name = Optional.empty();
  private volatile boolean hasLeftIntent;

  /** The resources that all commits of a process share. */
  public record Means(
      Stores stores,
      Lanes pool,
      Time time,
      CommitConfig config,
      Leases leases,
      UnansweredWrites unansweredWrites) {
    /**
     * Returns what brings a commit to its end.
     *
     * @param counted the stores, or what counts their requests
     */
    StoreAccess access(Stores counted) {
      return new StoreAccess(counted, pool, time, unansweredWrites);
    }
  }

  /**
   * The place that a job writes to.
   *
   * @param prefix of the job's output: the prefix of the table or one below it
   */
  public record Output(OutputTable table, String prefix) {
    /** Returns the output at a key, which may end with a slash. */
    public static Output of(String bucket, String key) {
      String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
      return new Output(OutputTable.of(bucket, key), prefix);
    }

    @Override
    public String toString() {
      return "s3://%s/%s".formatted(table.bucket(), prefix);
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
   * Demands that there is no object under the prefix when the job commits, except hidden ones of
   * Penstock and a marker of the directory. Call it before {@link #commit}.
   *
   * @param prefix ends with a slash
   * @param isIgnored whether the job, if there is an object, ends well without making a file
   *     visible; it fails otherwise
   */
  public void requireAbsent(String bucket, String prefix, boolean isIgnored) {
    absent.add(new Absent(bucket, prefix, isIgnored));
  }

  /** A place that must be empty when the job commits; see {@link #requireAbsent}. */
  record Absent(String bucket, String prefix, boolean isIgnored) {
    boolean isAt(OutputTable table) {
      return bucket.equals(table.bucket()) && prefix.equals(table.prefix());
    }
  }

  /** A check of the state in which a commit finds the table. */
  @FunctionalInterface
  public interface Check {
    /**
     * Checks it.
     *
     * @throws IOException if the job must not commit; it fails then, and nothing is changed
     */
    void run() throws IOException;
  }

  /**
   * Makes a check once the job has passed the fence: others that must not commit beside it have
   * ended then. Call this before {@link #commit}.
   */
  public void check(Check state) {
    check = state;
  }

  /**
   * Marks one object to be deleted when the job commits, if it meets the condition then and the
   * store can tell. Call it before {@link #commit}.
   */
  public void replace(ObjectKey object, Condition condition) {
    targets.add(object, condition);
  }

  /**
   * Gives the commit a name under which it happens once at this output. If it has happened, {@link
   * #commit} makes nothing visible, aborts the uploads, and returns normally. Call it before {@link
   * #commit}.
   */
  public void name(CommitId once) {
    name = Optional.of(once);
  }

  /**
   * Returns what is known of a commit with this name, if one has happened at this output. Takes one
   * request. If it returns empty, such a commit may be under way.
   */
  public Optional<String> record(CommitId once) throws IOException {
    return new DoneCommits(stores, output.table(), means.pool())
        .find(once, output.prefix().substring(output.table().prefix().length()));
  }

  /**
   * Waits until no job commits at the table, and ends the commits of jobs that died. For a job that
   * next looks whether its output exists: half a commit is not an output. Takes one listing if no
   * job commits.
   *
   * @throws IOException if another job still commits after {@link CommitConfig#waitMax}
   */
  public void settleBefore() throws IOException {
    new DirectoryChange(means, output.table(), started -> job.apply(started).named("-before"))
        .settle();
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
        !targets.isEmpty()
            || !absent.isEmpty()
            || !own.stream().allMatch(one -> Intent.isOwn(starting.id(), one.key()));
    Intent intent =
        new Intent(
            starting,
            0,
            isAlone,
            !absent.isEmpty(),
            output.marker().key(),
            marker,
            rows,
            name,
            PackedFiles.of(own));
    LeaseClock clock = new LeaseClock(means.time());
    LeaseClock.Moment start = clock.now();
    Heartbeat heartbeat = new Heartbeat(files, clock);
    Lease lease = means.leases().keep(heartbeat);
    try {
      Optional<Intent> next = Optional.of(intent);
      while (next.isPresent()) {
        Passed passed = enter(next.get(), clock, heartbeat);
        if (passed.isOver()) {
          LOG.warn(
              "{}: another process considered {} dead and has completed its commit; all its files"
                  + " are visible",
              output.table(),
              starting);
          return;
        }
        CommitRun run = run(passed, clock, start, heartbeat, lease);
        try {
          next = run.commit();
        } finally {
          hasLeftIntent = run.hasLeftIntent();
        }
      }
    } finally {
      lease.end();
    }
  }

  /**
   * Passes the fence. Below a key that has an object, MinIO lists nothing, and versitygw stores
   * nothing. If the job replaces an object at its output's own key, and its intent cannot be put or
   * is not listed, the object is deleted first, without a way back.
   */
  private Passed enter(Intent intent, LeaseClock clock, Heartbeat heartbeat) throws IOException {
    try {
      return fence(clock).enter(intent, heartbeat, wantsWhole());
    } catch (HiddenIntentException | StoreException e) {
      String prefix = output.prefix();
      String file = prefix.substring(0, Math.max(0, prefix.length() - 1));
      boolean isHidden =
          !(e instanceof StoreException refusal) || refusal.kind() == Kind.PARENT_IS_OBJECT;
      if (!isHidden || !targets.hasObject(output.table().bucket(), file)) {
        throw e;
      }
      LOG.info(
          "{}: deleting the object with the same name as this directory, because it hides the files"
              + " of the directory",
          output.table());
      stores.of(output.table().bucket()).delete(file);
      targets.removeObject(output.table().bucket(), file);
      return fence(clock).enter(intent.next(), heartbeat, wantsWhole());
    }
  }

  /** Returns true if the commit needs all objects of the table. */
  private boolean wantsWhole() {
    return targets.isWhole(output.table())
        || absent.stream().anyMatch(one -> one.isAt(output.table()));
  }

  private CommitRun run(
      Passed passed, LeaseClock clock, LeaseClock.Moment start, Heartbeat heartbeat, Lease lease) {
    InlineFiles inline =
        new InlineFiles(
            stores, means.time(), clock, means.unansweredWrites(), means.config().storeWaitMax());
    CommitRun.Resources resources =
        new CommitRun.Resources(
            stores, means, files, inline, clock, start, heartbeat, lease, () -> fence(clock));
    return new CommitRun(resources, output, targets, List.copyOf(absent), check, passed);
  }

  private Fence fence(LeaseClock clock) {
    Recovery recovery =
        new Recovery(means.access(stores), output.table(), files, clock, means.config().recovery());
    return new Fence(files, output.table(), recovery::settle, means.config(), means.time());
  }
}
