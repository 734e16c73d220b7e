/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/** A way to deal with slow attempts. */
interface Policy {
  String name();

  /**
   * Serves one request and tells how long it took.
   *
   * @param nowNanos when it starts
   */
  long serve(Draws draws, long nowNanos);

  /** Attempts beyond one for each request, so far. */
  long extraAttempts();
}
