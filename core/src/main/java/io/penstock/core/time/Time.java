/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The only source of time, and the only way to wait. Reading and waiting are one interface so that
 * a fake cannot get out of step with itself.
 */
public interface Time {
  /** Monotonic nanoseconds, 0 at an arbitrary start: plain comparison is safe. */
  long nowNanos();

  /** The wall clock, for time stamps that leave the process. */
  Instant now();

  /** Waits for the whole duration; a zero or negative one returns at once. */
  void sleep(Duration duration) throws InterruptedException;
}
