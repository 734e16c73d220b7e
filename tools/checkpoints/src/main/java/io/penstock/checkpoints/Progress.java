/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

/** Is told how far long work is. */
@FunctionalInterface
public interface Progress {
  /**
   * Says what is being done.
   *
   * @param of how many there are, or 0 when that is not known
   */
  void at(String what, long done, long of);
}
