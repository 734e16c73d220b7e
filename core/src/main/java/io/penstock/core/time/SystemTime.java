/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock of the machine. No other class reads that clock. */
public final class SystemTime implements Time {
  public static final Time INSTANCE = new SystemTime();

  private final long startNanos = System.nanoTime();

  private SystemTime() {}

  @Override
  public long nowNanos() {
    return System.nanoTime() - startNanos;
  }

  @Override
  public Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (duration.isNegative() || duration.isZero()) {
      return;
    }
    Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
  }
}
