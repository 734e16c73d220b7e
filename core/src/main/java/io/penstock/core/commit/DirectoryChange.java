/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.fence.Fence;
import io.penstock.core.commit.fence.Passed;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases.Lease;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Uninterruptible;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits for the commits at a table, for a process that is about to change the table's directory or
 * to look whether there is a table.
 */
final class DirectoryChange {
  private final Means means;
  private final OutputTable table;
  private final Function<Instant, CommittingJob> self;
  private final IntentFiles files;

  /**
   * @param self names the process, for jobs that wait for it; no job has the same id
   */
  DirectoryChange(Means means, OutputTable table, Function<Instant, CommittingJob> self) {
    this.means = means;
    this.table = table;
    this.self = self;
    this.files = new IntentFiles(means.stores(), table, means.pool());
  }

  /** Returns true if a job commits at the table, or has left something there. Takes one listing. */
  boolean isNeeded() throws IOException {
    Listing listing = files.list();
    return !listing.intents().isEmpty() || !listing.strays().isEmpty();
  }

  /**
   * Waits until no job commits at the table, and ends the commits of jobs that died. Takes one
   * listing if there is nothing to wait for.
   *
   * @throws IOException if another job still commits after {@link CommitConfig#waitMax}; it names
   *     the job
   */
  void settle() throws IOException {
    if (isNeeded()) {
      hold().close();
    }
  }

  /** Does the same, and lets no other job commit at the table until the hold is closed. */
  Hold hold() throws IOException {
    Hold hold = new Hold();
    try {
      hold.enter();
      return hold;
    } catch (IOException | RuntimeException | Error e) {
      hold.lease.end();
      throw e;
    }
  }

  /** An intent at the table, while which no job commits there. */
  final class Hold implements Closeable {
    private final LeaseClock clock = new LeaseClock(means.time());
    private final Heartbeat heartbeat = new Heartbeat(files, clock);
    private final Lease lease = means.leases().keep(heartbeat);
    private Passed passed;

    private void enter() throws IOException {
      StoreAccess access = means.access(means.stores());
      Recovery recovery = new Recovery(access, table, files, clock, means.config().recovery());
      Intent own = FencedRecovery.emptyIntent(self.apply(means.time().now()), table, true);
      passed =
          new Fence(files, table, recovery::settle, means.config(), means.time())
              .enter(own, heartbeat, false);
    }

    /** Returns true if no other process can have taken this one for dead. */
    boolean isInPlace() {
      return !passed.isOver() && !clock.hasLapsed();
    }

    OutputTable table() {
      return table;
    }

    @Override
    public void close() throws IOException {
      heartbeat.takenBack();
      boolean hasLease = lease.end();
      if (!passed.isOver()) {
        Intent last = passed.intent();
        Uninterruptible.run(
            () ->
                files.removeOrEnd(
                    last.id(), false, () -> files.remove(last, Optional.empty(), hasLease, false)));
      }
    }
  }
}
