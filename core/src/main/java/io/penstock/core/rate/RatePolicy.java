/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/** Who decides how many requests a second are sent. */
public enum RatePolicy {
  /** No cap until the store throttles, then control from what it was seen to take. */
  ADAPTIVE,
  /**
   * The policy that EMRFS documents: a cap from the start, additive increase, multiplicative
   * decrease.
   */
  AIMD,
  /** No cap; a throttled request waits longer and longer. */
  BACKOFF,
  /** No cap, and a throttled request is not repeated. */
  NONE
}
