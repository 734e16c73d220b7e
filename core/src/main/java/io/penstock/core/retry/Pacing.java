/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.endpoint.Crowd;
import io.penstock.core.store.Operation;
import java.util.Optional;

/**
 * Gives the retries the state of rate control for a request. Called after an attempt; must be
 * cheap.
 */
@FunctionalInterface
public interface Pacing {
  /** Stands for no rate control: the retries must back off themselves. */
  Pacing NONE = (operation, key) -> new Standing(Repeat.BACK_OFF, Optional.empty());

  /**
   * The state of a throttled request.
   *
   * @param repeat what the request does before its next attempt
   * @param crowd the requests that were throttled for the same reason; empty when each request
   *     waits on its own
   */
  record Standing(Repeat repeat, Optional<Crowd> crowd) {}

  /** Returns the state of a request of this operation and key that was throttled now. */
  Standing standing(Operation operation, String key);
}
