/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;

/**
 * A wait during which a piece of work asks nothing of its store. In a thread of the pool it gives
 * its place to other work meanwhile; in any other thread it is only the wait.
 */
public enum Wait {
  /**
   * The wait for a rate permit. Permits are handed out first come first served, so a few threads
   * that wait are as good as many; the rest of the work stays queued.
   */
  FOR_PERMIT(8),
  /** Before the next attempt. Each request has its own delay, so many may wait at once. */
  FOR_RETRY(64);

  private final int laneMax;

  Wait(int laneMax) {
    this.laneMax = laneMax;
  }

  /** Returns how many pieces of a lane wait when it starts no further work. */
  int laneMax() {
    return laneMax;
  }

  /** The wait itself. */
  @FunctionalInterface
  public interface Pause {
    void run() throws IOException, InterruptedException;
  }

  /** Waits, and returns when the work may go on. */
  public void during(Pause pause) throws IOException, InterruptedException {
    LanePool.waiting(this, pause);
  }
}
