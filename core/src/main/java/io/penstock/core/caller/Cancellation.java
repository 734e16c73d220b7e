/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Lets a caller cancel work. From then on, attempts whose requests are not completely sent are cut,
 * and waits for a permit or a retry end. A cancellation is bound to the threads that do the work,
 * as a part of their {@link Caller}. Safe for use by many threads.
 */
public final class Cancellation {
  /** The interval at which a wait checks for cancellation. */
  private static final long LOOK_MILLIS = 50;

  /** The same interval, for waits that have steps of their own. */
  public static final Duration LOOK = Duration.ofMillis(LOOK_MILLIS);

  private final String why;
  private final BooleanSupplier byOthers;
  private final Set<Caller.Cancellable> steps = new LinkedHashSet<>();
  private boolean done;

  /**
   * @param why a sentence for messages, such as {@code "the upload was aborted"}
   */
  public Cancellation(String why) {
    this(why, () -> false);
  }

  /**
   * Work that others cancel ends at its next wait or check; no attempt under way is cut.
   *
   * @param byOthers returns true if somebody else has cancelled the work; called at each check, so
   *     it must be cheap
   */
  public Cancellation(String why, BooleanSupplier byOthers) {
    this.why = why;
    this.byOthers = byOthers;
  }

  /**
   * Binds the work to the calling thread until {@link #end}. Replaces an earlier binding, which
   * {@link #end} does not restore; {@link #run} does.
   */
  public void begin() {
    Caller.current().withCancellation(Optional.of(this)).bind();
  }

  /** Ends the binding: the calling thread's work is over. */
  public static void end() {
    Caller.current().withCancellation(Optional.empty()).bind();
  }

  /**
   * Runs, on the calling thread, a clean-up that must be done even if the thread's work is
   * cancelled.
   */
  public static void aside(CleanUp cleanUp) throws IOException {
    Caller outer = Caller.current();
    outer.withCancellation(Optional.empty()).bind();
    try {
      cleanUp.run();
    } finally {
      outer.bind();
    }
  }

  /** Work that must be done in any case. */
  @FunctionalInterface
  public interface CleanUp {
    void run() throws IOException;
  }

  /**
   * Waits for a step, or until the work of this thread is cancelled. The step itself is not
   * cancelled.
   *
   * @throws InterruptedIOException if the work was cancelled; the thread's interrupt flag is not
   *     set
   * @throws ExecutionException when the step failed; its cause is the failure
   * @throws InterruptedException when the thread is interrupted
   */
  public static <T> T await(Future<T> step)
      throws InterruptedException, ExecutionException, InterruptedIOException {
    while (true) {
      try {
        return step.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        checkCurrent();
      }
    }
  }

  /**
   * Sleeps for the delay, or until {@code isOver} returns true.
   *
   * @param isOver asked every 50 ms
   * @throws InterruptedIOException if the work of this thread was cancelled; the thread's interrupt
   *     flag is not set
   */
  public static void sleep(Time time, Duration delay, BooleanSupplier isOver)
      throws InterruptedException, InterruptedIOException {
    Caller.current().sleep(time, delay, isOver);
  }

  /**
   * Runs the work on the calling thread. Fails at once if the work was already cancelled.
   *
   * @throws InterruptedIOException if the work was already cancelled; the thread's interrupt flag
   *     is not set
   */
  public <T> T run(Work<T> work) throws IOException {
    Caller outer = Caller.current();
    outer.withCancellation(Optional.of(this)).bind();
    try {
      check();
      return work.run();
    } finally {
      outer.bind();
    }
  }

  /** Work that may be cancelled. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  /** Cancels the work. The work ends soon on its own threads. A second call has no effect. */
  public void cancel() {
    Set<Caller.Cancellable> all;
    synchronized (this) {
      done = true;
      all = new LinkedHashSet<>(steps);
      steps.clear();
    }
    all.forEach(Caller.Cancellable::cancelled);
  }

  /**
   * Fails if the work of this thread was cancelled.
   *
   * @throws InterruptedIOException without setting the thread's interrupt flag
   */
  public static void checkCurrent() throws InterruptedIOException {
    Caller.current().check();
  }

  Caller.Registration register(Caller.Cancellable step) {
    boolean late;
    synchronized (this) {
      late = done;
      if (!late) {
        steps.add(step);
      }
    }
    if (late) {
      step.cancelled();
    }
    return () -> forget(step);
  }

  private synchronized void forget(Caller.Cancellable step) {
    steps.remove(step);
  }

  /**
   * Returns a cancellation for waits: it ends them when this one is cancelled, but cuts no attempt
   * that is under way.
   */
  public Cancellation ofWaits() {
    return new Cancellation(why, this::isDone);
  }

  private boolean isDone() {
    return isCancelled() || byOthers.getAsBoolean();
  }

  private synchronized boolean isCancelled() {
    return done;
  }

  void check() throws InterruptedIOException {
    if (isDone()) {
      throw new InterruptedIOException(why);
    }
  }
}
