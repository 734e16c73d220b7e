/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.endpoint.Crowd;
import io.penstock.core.store.Operation;
import java.util.Optional;

/** Tells the retries what they need to know of rate control. Asked after an attempt; cheap. */
@FunctionalInterface
public interface Pacing {
  /** Nobody holds any rate down, so the retries must. */
  Pacing NONE = (operation, key) -> new Standing(Repeat.BACK_OFF, Optional.empty());

  /**
   * The state of a throttled request.
   *
   * @param repeat before its next attempt
   * @param crowd of those that were throttled for the same reason; empty when each is on its own
   */
  record Standing(Repeat repeat, Optional<Crowd> crowd) {}

  /** Returns how such a request stands when it was throttled now. */
  Standing standing(Operation operation, String key);
}
