/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.Operation;

/** What the retries need to know of rate control. Asked after a throttled attempt; cheap. */
@FunctionalInterface
public interface Pacing {
  /** Nobody holds any rate down, so the retries must. */
  Pacing NONE = (operation, key) -> false;

  /** Whether the next attempt of such a request will have to wait for a permit. */
  boolean paces(Operation operation, String key);
}
