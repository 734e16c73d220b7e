/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.io.IOException;

/** Shows other processes that a job is alive while it commits. */
@FunctionalInterface
public interface Leases {
  /** Writes the lease once more. */
  @FunctionalInterface
  interface Renewal {
    void run() throws IOException;
  }

  /** A lease that is being renewed. */
  @FunctionalInterface
  interface Lease {
    /** Ends the renewals and waits for one under way. Returns true if there has been a renewal. */
    boolean end();
  }

  /** Renews the lease from now on, four times in the duration of a lease. */
  Lease keep(Renewal renewal);
}
