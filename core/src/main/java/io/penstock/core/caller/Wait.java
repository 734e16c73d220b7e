/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import java.io.IOException;

/**
 * A wait during which a piece of work sends no request to its store. On a thread of the pool, the
 * waiting work gives its place to other work during the wait. On any other thread it only waits.
 */
public enum Wait {
  /**
   * The wait for a rate permit. Permits are granted first come, first served, so a few waiting
   * threads are as good as many. The rest of the work stays queued.
   */
  FOR_PERMIT(8),
  /** The wait before the next attempt. Each request has its own delay, so many may wait at once. */
  FOR_RETRY(64);

  private final int laneMax;

  Wait(int laneMax) {
    this.laneMax = laneMax;
  }

  /** Returns the number of waiting pieces at which a lane starts no further work. */
  public int laneMax() {
    return laneMax;
  }

  /** The code that does the waiting. */
  @FunctionalInterface
  public interface Pause {
    void run() throws IOException, InterruptedException;
  }
}
