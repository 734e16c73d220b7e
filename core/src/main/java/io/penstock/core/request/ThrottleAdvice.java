/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import java.util.Optional;

/**
 * Tells the retries what rate control knows about a request that failed.
 *
 * @param repeat what the request does before its next attempt if it was throttled
 * @param crowd the requests that were throttled for the same reason; empty when each request waits
 *     on its own
 */
public record ThrottleAdvice(Repeat repeat, Optional<WaitingGroup> crowd) {
  /** The advice without rate control: the retries must back off themselves. */
  public static final ThrottleAdvice NONE = new ThrottleAdvice(Repeat.BACK_OFF, Optional.empty());
}
