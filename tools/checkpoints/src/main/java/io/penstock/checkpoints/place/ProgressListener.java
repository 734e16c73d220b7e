/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

/** Receives the progress of long operations. */
@FunctionalInterface
public interface ProgressListener {
  /**
   * Reports the current progress.
   *
   * @param of the total number, or 0 when it is unknown
   */
  void at(String what, long done, long of);
}
