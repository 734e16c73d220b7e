/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.Intent;

/** Receives what becomes of a job's intent, for the thread that renews its lease. */
public interface Signs {
  /** For a passage whose lease nobody renews. */
  Signs NONE = intent -> {};

  /** The intent is about to be put. */
  default void putting() {}

  /** The intent is in place. */
  void put(Intent intent);

  /** The intent is gone, or will be in a moment. */
  default void takenBack() {}

  /** Returns true if another process may have taken the job for dead. */
  default boolean hasLapsed() {
    return false;
  }
}
