/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.caller.Cancellation.CleanUp;
import java.io.IOException;
import java.io.InterruptedIOException;

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

  /**
   * Runs the work to its end. If an interrupt ends it, the work is done again; the interrupt takes
   * effect afterwards.
   *
   * @param work does no harm when it is done twice; an interrupt ends it by an
   *     InterruptedIOException with the thread's interrupt flag set
   */
  public static void untilDone(CleanUp work) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          Cancellation.aside(work);
          return;
        } catch (InterruptedIOException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
