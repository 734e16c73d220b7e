/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.law.Pacer;
import io.penstock.core.request.Repeat;

/** A pacer without a cap. */
final class OpenPacer implements Pacer {
  @Override
  public void arrive(long nowNanos) {}

  @Override
  public long take(long nowNanos, double weight) {
    return 0;
  }

  @Override
  public void leave(long nowNanos) {}

  @Override
  public void answered(long sentNanos, long nowNanos, double ok, double throttled) {}

  @Override
  public Repeat repeat() {
    return Repeat.BACK_OFF;
  }

  @Override
  public double rate() {
    return Double.POSITIVE_INFINITY;
  }
}
