/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/** The ways to limit the request rate. */
public enum RatePolicy {
  /**
   * No cap until the store throttles; then the rate follows the rate that the store was seen to
   * serve.
   */
  ADAPTIVE,
  /**
   * The policy that EMRFS documents: a cap from the start, additive increase, multiplicative
   * decrease.
   */
  AIMD,
  /** No cap; a throttled request waits longer before each retry. */
  BACKOFF,
  /** No cap, and a throttled request is not repeated. */
  NONE
}
