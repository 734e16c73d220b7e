/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The only source of time and the only way to wait. Reading and waiting are one interface, so the
 * two cannot get out of step in a fake.
 */
public interface Time {
  /** Returns monotonic nanoseconds since an arbitrary start, so plain comparison is safe. */
  long nowNanos();

  /**
   * Returns the time of the wall clock, for time stamps that leave the process. Its resolution is a
   * millisecond or finer. It may jump, so durations are measured with {@link #nowNanos}.
   */
  Instant now();

  /** Waits for the whole duration. Returns at once if the duration is zero or negative. */
  void sleep(Duration duration) throws InterruptedException;
}
