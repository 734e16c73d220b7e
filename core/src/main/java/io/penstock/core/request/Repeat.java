/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

/** The ways in which a throttled request waits before its next attempt. */
public enum Repeat {
  /** Back off exponentially, because nothing else slows this process down. */
  BACK_OFF,
  /** Wait a short time: the wait for the next permit provides the real delay. */
  SHORTLY,
  /**
   * Try again almost at once, any number of times. The store rejects a random share of all
   * requests, so each attempt has a new chance to succeed. The permits limit the number of
   * attempts.
   */
  AT_ONCE
}
