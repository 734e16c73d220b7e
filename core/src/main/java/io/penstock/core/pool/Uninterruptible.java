/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.attempt.Cancellation.CleanUp;
import java.io.IOException;

/**
 * Runs a clean-up on a thread that may be interrupted or whose work may be cancelled, such as the
 * thread of a killed task or a stopped query. Without this protection the requests of the clean-up
 * would fail at once and remove nothing. The interrupt is held back during the clean-up and
 * restored afterwards.
 */
public final class Uninterruptible {
  private Uninterruptible() {}

  /**
   * Runs the clean-up and throws its failure. Only an interrupt and a cancellation from before the
   * call are held back; an interrupt that arrives meanwhile takes effect.
   */
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
