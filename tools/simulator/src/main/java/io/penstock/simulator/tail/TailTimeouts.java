/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import java.time.Duration;

/**
 * Cancels an attempt after a fixed time and repeats it at once. Never cancels when there is no
 * timeout.
 */
final class TailTimeouts implements TailPolicy {
  private final String name;
  private final long[] nanos;
  private long extra;

  /**
   * @param timeouts timeouts of the first, second, … attempt; the last one applies to all later
   *     attempts
   */
  TailTimeouts(String name, Duration... timeouts) {
    this.name = name;
    this.nanos = new long[timeouts.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = timeouts[i].toNanos();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long serve(Draws draws, long nowNanos) {
    long waited = 0;
    for (int attempt = 0; ; attempt++) {
      long timeout =
          nanos.length == 0 ? Long.MAX_VALUE : nanos[Math.min(attempt, nanos.length - 1)];
      long took = draws.nanos(attempt);
      if (took <= timeout) {
        return waited + took;
      }
      waited += timeout;
      extra++;
    }
  }

  @Override
  public long extraAttempts() {
    return extra;
  }
}
