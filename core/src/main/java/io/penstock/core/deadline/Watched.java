/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

/** Something under way that is looked at every few milliseconds. */
@FunctionalInterface
public interface Watched {
  /**
   * Looks, and acts when it is time. It must not block.
   *
   * @param nowNanos as {@link Watchdog#nowNanos()} tells it
   */
  void look(long nowNanos);
}
