/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.fence.Signs;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Own;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases.Renewal;
import java.io.IOException;

/**
 * Renews the lease of one commit, and looks whether another process has ended the commit. Safe for
 * use by many threads.
 */
final class Heartbeat implements Renewal, Signs {
  private final IntentFiles files;
  private final LeaseClock clock;
  private LeaseClock.Moment beforePut;
  private Intent current;

  Heartbeat(IntentFiles files, LeaseClock clock) {
    this.files = files;
    this.clock = clock;
    this.beforePut = clock.now();
  }

  @Override
  public synchronized void putting() {
    beforePut = clock.now();
  }

  @Override
  public synchronized void put(Intent intent) {
    clock.restarted(beforePut);
    current = intent;
  }

  @Override
  public synchronized void takenBack() {
    current = null;
  }

  private synchronized Intent current() {
    return current;
  }

  @Override
  public boolean hasLapsed() {
    return clock.hasLapsed();
  }

  @Override
  public void run() throws IOException {
    renew();
    if (!clock.isRecent()) {
      // The renewal took so long that it is worth nothing any more.
      renew();
    }
  }

  private void renew() throws IOException {
    Intent intent = current();
    if (intent == null) {
      return;
    }
    LeaseClock.Moment before = clock.now();
    files.renew(intent);
    // The look comes second: a process that decides later sees the renewal.
    Own own = files.own(intent);
    if (!intent.equals(current())) {
      return;
    }
    if (own.isThere()) {
      clock.renewed(before);
    } else {
      takenBack();
      files.removeLease(intent.id());
    }
    if (own.isOver() || !own.isThere()) {
      clock.decided();
    }
  }
}
