/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.lease;

import java.io.IOException;
import java.time.Duration;

/** Shows other processes that a job is alive while it commits. */
@FunctionalInterface
public interface Leases {
  /**
   * A job counts as dead if no object of its intent was written for this long. A live job renews
   * its lease four times in this period.
   */
  Duration DURATION = Duration.ofMinutes(1);

  /** Writes the lease once more. */
  @FunctionalInterface
  interface Renewal {
    void run() throws IOException;
  }

  /** A lease that is being renewed. */
  @FunctionalInterface
  interface Lease {
    /**
     * Ends the renewals and waits for one under way. Returns true if there has been a renewal. A
     * second call has no effect and returns the same. Does not throw; an interrupt is kept.
     */
    boolean end();
  }

  /**
   * Renews the lease from now on, four times in the duration of a lease. The first renewal comes
   * after a quarter of that time. A renewal that fails is logged, and the next one comes at its
   * time.
   */
  Lease keep(Renewal renewal);
}
