/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.chance;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/** The chance of the machine, which no test can repeat. Nothing else asks the JDK for any. */
public final class Chance {
  private Chance() {}

  /**
   * Returns a source whose 64-bit seed is the system's: with the JDK's own, which is the time,
   * processes that start together could draw the same numbers.
   */
  public static SplittableRandom ofTheMachine() {
    return new SplittableRandom(new SecureRandom().nextLong());
  }

  /** Returns a name for a file that nobody else gives: a random UUID. */
  public static String uniqueName() {
    return UUID.randomUUID().toString();
  }
}
