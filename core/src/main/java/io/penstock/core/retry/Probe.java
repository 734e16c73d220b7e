/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.request.Context;
import io.penstock.core.store.Operation;
import java.io.IOException;

/** Sends a request, once, to find out whether a store serves any. */
@FunctionalInterface
public interface Probe {
  /** For a store of which nobody can find out: it is taken as one that serves. */
  Probe NONE = (failed, context) -> {};

  /**
   * Sends a request that has nothing in common with the failed one: another object, another
   * operation.
   *
   * @param failed the operation that the store has just answered with a server error
   * @throws IOException when the request fails, be it with a refusal
   */
  void send(Operation failed, Context context) throws IOException;
}
