/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

/** Tells a throttled request what to do before its next attempt. */
public enum Repeat {
  /** Back off as if alone: nothing else slows this process down. */
  BACK_OFF,
  /** Wait shortly: the permit that it needs carries the delay. */
  SHORTLY,
  /**
   * Ask again at once, as often as it takes: the store rejects a part of whatever it is sent, so
   * that an attempt is a draw, and the permits keep the draws few.
   */
  AT_ONCE
}
