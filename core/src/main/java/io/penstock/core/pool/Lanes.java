/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.util.concurrent.Executor;

/**
 * Runs work on threads other than the caller's and keeps different kinds of work apart: reads and
 * writes of one bucket or partition do not delay those of another. A plain executor can serve as an
 * implementation that keeps nothing apart.
 */
@FunctionalInterface
public interface Lanes extends Executor {
  /**
   * Lets more work of this bucket run at once, of all kinds, until the answer is ended. For much
   * work that waits for a store and takes little memory, while somebody waits for its end.
   */
  default Widened widen() {
    return () -> {};
  }

  /** Ends what {@link #widen} began. */
  @FunctionalInterface
  interface Widened {
    void end();
  }

  /** Returns the executor for work that reads the key or lists the prefix. */
  default Executor reads(String bucket, String key) {
    return this;
  }

  /** Returns the executor for work that changes the object at the key. */
  default Executor writes(String bucket, String key) {
    return this;
  }
}
