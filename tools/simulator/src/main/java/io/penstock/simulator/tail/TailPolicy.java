/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/** A policy for slow attempts. */
interface TailPolicy {
  String name();

  /**
   * Serves one request and returns how long it took.
   *
   * @param nowNanos time at which the request starts
   */
  long serve(Draws draws, long nowNanos);

  /** Returns the number of attempts beyond the first of each request, so far. */
  long extraAttempts();
}
