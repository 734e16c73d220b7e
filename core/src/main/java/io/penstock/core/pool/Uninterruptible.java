/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.attempt.Cancellation.CleanUp;
import java.io.IOException;

/**
 * Clean-up in a thread that may be interrupted, or whose work is called off, as that of a killed
 * task or a stopped query is: its requests would fail at once and leave what they were to remove.
 * The interrupt is put aside meanwhile and passed on afterwards.
 */
public final class Uninterruptible {
  private Uninterruptible() {}

  public static void run(CleanUp cleanUp) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      Cancellation.aside(cleanUp);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
