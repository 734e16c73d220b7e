/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.lease.LeaseThread;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the commits at a table that have not ended, for a user who checks or ends them. */
public final class UnfinishedCommits {
  /** A job counts as dead if it has not shown for this long that it is alive. */
  public static final Duration LEASE = Leases.DURATION;

  private final StoreAccess access;
  private final OutputTable table;
  private final IntentFiles files;

  public UnfinishedCommits(StoreAccess access, OutputTable table) {
    this.access = access;
    this.table = table;
    this.files = new IntentFiles(access.stores(), table, access.pool());
  }

  /** The ways in which a commit ends. */
  public enum End {
    /** All files of the job are visible, and the objects that they replace are deleted. */
    COMMITTED,
    /** No file of the job is visible, and the objects that it was to replace still exist. */
    ROLLED_BACK,
    /** The job had already ended by itself. */
    GONE
  }

  /**
   * The result of an attempt to end a commit.
   *
   * @param leftOut number of files that a commit was finished without: their content is lost, or
   *     they were deleted after an earlier process had decided to finish the commit; without a
   *     meaning unless the end is COMMITTED
   */
  public record Settled(End end, int leftOut) {}

  /**
   * A commit that is under way, or was left unfinished.
   *
   * @param id of its intent
   * @param job that commits
   * @param touched time at which the job, or a process that ends its commit, last wrote something,
   *     by the store's clock
   * @param renewed time at which the job last showed that it is alive, by the store's clock
   * @param isAlone whether other jobs wait for this commit: it replaces objects, or has fixed names
   * @param isUndoneByDefault whether a new run of the job would not replace what it has made
   *     visible
   * @param hasBegun whether any of its files may be visible
   * @param files number of files that the commit makes visible
   * @param visible number of these files that are visible now
   * @param lost number of files that are not visible and whose content only the job's driver had
   * @param bytes total size of all its files
   * @param replaced number of objects that are deleted once all files are visible
   * @param decision that has been made about the commit: FORWARD or BACK; empty if there is none
   */
  public record Unfinished(
      String id,
      CommittingJob job,
      Instant touched,
      Instant renewed,
      boolean isAlone,
      boolean isUndoneByDefault,
      boolean hasBegun,
      int files,
      int visible,
      int lost,
      long bytes,
      int replaced,
      Optional<Direction> decision) {

    /**
     * Returns the expected direction of the commit: FORWARD or BACK. Only the attempt to end it
     * gives the final answer.
     */
    public Direction direction(Direction wish) {
      if (decision.isPresent()) {
        return decision.get();
      }
      if (!hasBegun) {
        return Direction.BACK;
      }
      if (visible == files && !isUndoneByDefault) {
        return Direction.FORWARD;
      }
      if (wish == Direction.BACK || (wish == Direction.AUTO && isUndoneByDefault)) {
        return Direction.BACK;
      }
      if (lost > 0 && wish != Direction.FORWARD) {
        return Direction.BACK;
      }
      return Direction.FORWARD;
    }
  }

  /** Returns all unfinished commits, the oldest first. Changes nothing. */
  public List<Unfinished> find() throws IOException {
    List<Unfinished> found = new ArrayList<>();
    for (Seen seen : files.list().intents().values()) {
      Optional<Intent> intent = files.read(seen);
      if (intent.isPresent()) {
        found.add(describe(seen, intent.get()));
      }
    }
    return found;
  }

  /**
   * The job that commits an upload.
   *
   * @param touched time at which the job last showed that it is alive, by the store's clock
   * @param decision that has been made about its commit: FORWARD or BACK; empty if there is none
   */
  public record Owner(
      OutputTable table, CommittingJob job, Instant touched, Optional<Direction> decision) {}

  /** Returns the uploads that are part of unfinished commits, in the table's bucket. */
  public Map<Upload, Owner> owners() throws IOException {
    Map<Upload, Owner> owners = new HashMap<>();
    for (Seen seen : files.list().intents().values()) {
      Optional<Intent> intent = files.read(seen);
      if (intent.isPresent()) {
        Owner owner = new Owner(table, intent.get().job(), seen.touched(), decision(seen.id()));
        for (TaskUpload upload : FileSet.all(intent.get().files()).uploads()) {
          if (upload.bucket().equals(table.bucket())) {
            owners.put(upload.pending().upload(), owner);
          }
        }
      }
    }
    return owners;
  }

  private Optional<Direction> decision(String id) throws IOException {
    return files
        .decision(id)
        .map(made -> made == Decision.FORWARD ? Direction.FORWARD : Direction.BACK);
  }

  private Unfinished describe(Seen seen, Intent intent) throws IOException {
    Optional<Replaced> replaced = files.replaced(seen.id());
    FileSet all = FileSet.all(intent.files());
    FileSet visible = new CommitSteps(access, intent).visible(all);
    return new Unfinished(
        seen.id(),
        intent.job(),
        seen.touched(),
        seen.renewed(),
        intent.isAlone(),
        intent.isUndoneByDefault(),
        replaced.isPresent(),
        intent.files().size(),
        visible.size(),
        all.without(visible).where(InlineFile.class::isInstance).size(),
        intent.files().stream().mapToLong(upload -> upload.sizeBytes()).sum(),
        replaced.map(what -> what.old().size()).orElse(0),
        decision(seen.id()));
  }

  /**
   * Returns the time at which the job last showed that it is alive; empty if its intent no longer
   * exists. Takes one listing.
   */
  public Optional<Instant> touched(Unfinished commit) throws IOException {
    return Optional.ofNullable(files.list().intents().get(commit.id())).map(Seen::touched);
  }

  /**
   * Ends a commit. The job must be dead. A job that is still alive finds its commit finished or
   * undone, and reports this. Undoing a commit with inline files waits until the job has shown no
   * life for {@link #LEASE}.
   *
   * @param direction AUTO, or the way to take if both are possible; see {@link
   *     Unfinished#direction}
   * @param isSure whether to go forward even without files that are lost
   * @throws IOException when a request fails; the commit is still unfinished then, and settle may
   *     be called again
   */
  public Settled settle(Unfinished commit, Direction direction, boolean isSure) throws IOException {
    Seen seen = files.list().intents().get(commit.id());
    if (seen == null) {
      return new Settled(End.GONE, 0);
    }
    long pid = ProcessHandle.current().pid();
    CommittingJob self =
        new CommittingJob(
            "recover-" + pid + "-" + commit.id(),
            CommittingJob.UNKNOWN,
            CommittingJob.UNKNOWN,
            CommittingJob.UNKNOWN,
            pid,
            access.time().now());
    return new FencedRecovery(access, table, LeaseThread::start)
        .settle(self, seen.knownSince(commit.renewed()), direction, isSure);
  }
}
