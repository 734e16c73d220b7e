/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

/** An activity under way that is checked every few milliseconds. */
@FunctionalInterface
public interface Watched {
  /**
   * Checks the activity and acts when it is time. Must not block.
   *
   * @param nowNanos the time that {@link Watchdog#nowNanos()} returns
   */
  void look(long nowNanos);
}
