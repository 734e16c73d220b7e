/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.attempt;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The right to call work off: once it is, attempts that the work has under way are cut, and its
 * waits for a permit or a retry end. It is bound to the threads that do the work, like {@link
 * Attempt}. Safe for use by many threads.
 */
public final class Cancellation {
  private static final ThreadLocal<Cancellation> CURRENT = new ThreadLocal<>();

  private final String why;
  private final Set<Runnable> steps = new LinkedHashSet<>();
  private boolean done;

  /**
   * @param why a clause for messages, such as {@code "its upload was aborted"}
   */
  public Cancellation(String why) {
    this.why = why;
  }

  /** Runs the work on the calling thread; fails at once when it was called off before. */
  public <T> T run(Attempt.Work<T> work) throws IOException {
    Cancellation outer = CURRENT.get();
    CURRENT.set(this);
    try {
      check();
      return work.run();
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** Calls the work off; it ends soon on its own threads. */
  public void cancel() {
    Set<Runnable> all;
    synchronized (this) {
      done = true;
      all = new LinkedHashSet<>(steps);
      steps.clear();
    }
    all.forEach(Runnable::run);
  }

  /** Whether the work of this thread was called off. */
  public static boolean isCalledOff() {
    Cancellation current = CURRENT.get();
    return current != null && current.isDone();
  }

  /**
   * Fails when the work of this thread was called off.
   *
   * @throws InterruptedIOException without the thread's interrupt flag
   */
  public static void checkCurrent() throws InterruptedIOException {
    Cancellation current = CURRENT.get();
    if (current != null) {
      current.check();
    }
  }

  /**
   * Has the step run when the work of this thread is called off, at once if it was before; until
   * the registration ends. The step must not block or fail.
   */
  static Registration onCancel(Runnable step) {
    Cancellation current = CURRENT.get();
    return current == null ? () -> {} : current.register(step);
  }

  /** Ends when a step is of no use any more. */
  @FunctionalInterface
  interface Registration {
    void end();
  }

  private Registration register(Runnable step) {
    boolean late;
    synchronized (this) {
      late = done;
      if (!late) {
        steps.add(step);
      }
    }
    if (late) {
      step.run();
    }
    return () -> forget(step);
  }

  private synchronized void forget(Runnable step) {
    steps.remove(step);
  }

  private synchronized boolean isDone() {
    return done;
  }

  private void check() throws InterruptedIOException {
    if (isDone()) {
      throw new InterruptedIOException(why);
    }
  }
}
