/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock of a store. Objects and uploads have times by this clock, so their ages must be
 * computed by it, too: the clock of this machine may be wrong.
 */
public final class StoreClock {
  private StoreClock() {}

  /**
   * Returns the time of the store; empty if the store does not tell it. Takes one listing.
   *
   * @param prefix under which the user may list
   */
  public static Optional<Instant> now(ObjectStore store, String prefix) throws IOException {
    return store.list(ListRequest.flat(prefix).limit(1)).servedAt();
  }
}
