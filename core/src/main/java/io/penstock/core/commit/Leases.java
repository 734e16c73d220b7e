/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.io.IOException;

/** Shows that a job lives while it commits. */
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
    /** Ends the renewals, and waits for one that is under way; true if there has been one. */
    boolean end();
  }

  /** Renews from now on, four times in the duration of a lease. */
  Lease keep(Renewal renewal);
}
