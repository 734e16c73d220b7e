/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.util.concurrent.Executor;

/**
 * Threads for work beside the caller's own, which keep work on different things apart: reads and
 * writes of one bucket or partition do not hold up those of another. A plain executor keeps nothing
 * apart, and may stand in for it.
 */
@FunctionalInterface
public interface Lanes extends Executor {
  /** Returns where work runs that reads the key, or lists the prefix. */
  default Executor reads(String bucket, String key) {
    return this;
  }

  /** Returns where work runs that changes what is at the key. */
  default Executor writes(String bucket, String key) {
    return this;
  }
}
