/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.chance;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Provides random numbers from the machine, which no test can repeat. No other class asks the JDK
 * for random numbers.
 */
public final class Chance {
  private Chance() {}

  /**
   * Returns a random source with a 64-bit seed from the system. The JDK's own seed is the time, so
   * processes that start together could draw the same numbers.
   */
  public static SplittableRandom ofTheMachine() {
    return new SplittableRandom(new SecureRandom().nextLong());
  }

  /** Returns a unique name for a file: a random UUID. */
  public static String uniqueName() {
    return UUID.randomUUID().toString();
  }
}
