/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.recent.Recent;
import java.util.Optional;

/**
 * The last claim of each checkpoint that a driver has made, for threads that the run's own thread
 * has started. Safe for many threads.
 */
public final class ClaimWatches {
  /** More queries than a driver runs; one of a temporary checkpoint is never asked for again. */
  private static final int MOST = 1_000;

  private final Recent<String, ClaimWatch> watches = new Recent<>(MOST);

  public void claimed(String checkpoint, ClaimWatch watch) {
    watches.put(checkpoint, watch);
  }

  /** Returns the writer's watch, if it is the last that has claimed the checkpoint here. */
  public Optional<ClaimWatch> of(String checkpoint, Writer writer) {
    return watches.get(checkpoint).filter(watch -> watch.own().equals(writer));
  }
}
