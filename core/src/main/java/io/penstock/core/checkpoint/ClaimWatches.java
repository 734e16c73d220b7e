/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.recent.LruCache;
import java.util.Optional;

/**
 * Holds, for each checkpoint, the last claim that this driver has made on it. Threads that were
 * started by a run's own thread find the run's claim here. Safe for use by many threads.
 */
public final class ClaimWatches {
  /**
   * The number of claims that are kept, which is more than a driver has queries. The claim of a
   * temporary checkpoint is never asked for again.
   */
  private static final int MOST = 1_000;

  private final LruCache<String, ClaimWatch> watches = new LruCache<>(MOST);

  /**
   * Records the claim of a run on a checkpoint and replaces an earlier one. The last 1,000 are
   * kept.
   *
   * @param checkpoint its location as text, the same at every call
   */
  public void claimed(String checkpoint, ClaimWatch watch) {
    watches.put(checkpoint, watch);
  }

  /** Returns the writer's watch, if this writer was the last here to claim the checkpoint. */
  public Optional<ClaimWatch> of(String checkpoint, Writer writer) {
    return watches.get(checkpoint).filter(watch -> watch.own().equals(writer));
  }
}
