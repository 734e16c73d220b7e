/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import java.util.Locale;
import java.util.SplittableRandom;

/** Request ids in the form that S3 uses. The same seed gives the same ids. */
public final class RequestIds {
  private final SplittableRandom chance;

  public RequestIds(SplittableRandom chance) {
    this.chance = chance;
  }

  public synchronized String next() {
    return "%016x".formatted(chance.nextLong()).toUpperCase(Locale.ROOT);
  }
}
