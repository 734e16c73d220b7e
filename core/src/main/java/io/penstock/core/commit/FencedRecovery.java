/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.UnfinishedCommits.End;
import io.penstock.core.commit.UnfinishedCommits.Settled;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.lease.Leases.Lease;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.pool.Uninterruptible;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ends the commit of a job for a process that does not commit at the table itself. It keeps an
 * intent of its own in place meanwhile, as {@link Recovery} demands.
 */
final class FencedRecovery {
  private final StoreAccess access;
  private final OutputTable table;
  private final Leases leases;

  FencedRecovery(StoreAccess access, OutputTable table, Leases leases) {
    this.access = access;
    this.table = table;
    this.leases = leases;
  }

  /**
   * Ends one commit.
   *
   * @param self names the process; no job has the same id
   * @param seen the commit's intent as it was seen last; what has changed since is a sign of life
   * @see UnfinishedCommits#settle
   */
  Settled settle(CommittingJob self, Seen seen, Direction direction, boolean isSure)
      throws IOException {
    IntentFiles files = new IntentFiles(access.stores(), table, access.pool());
    LeaseClock clock = new LeaseClock(access.time());
    Heartbeat heartbeat = new Heartbeat(files, clock);
    Intent own = emptyIntent(self, table, false);
    Lease lease = leases.keep(heartbeat);
    try {
      heartbeat.putting();
      files.put(own);
      heartbeat.put(own);
      Seen now = files.list().intents().get(seen.id());
      return now == null
          ? new Settled(End.GONE, 0)
          : new Recovery(access, table, files, clock, direction, isSure)
              .settle(now.knownSince(seen.renewed()));
    } finally {
      heartbeat.takenBack();
      boolean hasLease = lease.end();
      Uninterruptible.run(
          () ->
              files.removeOrEnd(
                  own.id(), false, () -> files.remove(own, Optional.empty(), hasLease, false)));
    }
  }

  /** Returns an intent of a process that makes nothing visible. */
  static Intent emptyIntent(CommittingJob self, OutputTable table, boolean isAlone) {
    String marker = table.prefix() + SuccessMarker.NAME;
    return new Intent(
        self, 0, isAlone, marker, SuccessMarker.NONE, OptionalLong.empty(), List.of());
  }
}
