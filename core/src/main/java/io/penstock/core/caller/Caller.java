/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import io.penstock.core.caller.Wait.Pause;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Says on whose behalf a thread makes requests. It is bound to the thread, because the libraries
 * between a task and the store, such as Parquet, pass nothing through. A store looks it up once for
 * each request and passes it on as a value.
 *
 * @param cancellation ends the thread's work when somebody else wants it
 * @param budget the time that the requests of the thread's task may wait for retries
 * @param place the place in a thread pool that the thread's work gives up while it waits
 * @param origin the work for which the requests are made
 */
public record Caller(
    Optional<Cancellation> cancellation,
    Optional<RetryBudget> budget,
    Optional<Place> place,
    Origin origin) {
  /** Work that nobody cancels, of no task and on no thread of a pool. */
  public static final Caller NOBODY =
      new Caller(Optional.empty(), Optional.empty(), Optional.empty(), Origin.NONE);

  private static final ThreadLocal<Caller> CURRENT = new ThreadLocal<>();

  /** A place in a thread pool. */
  @FunctionalInterface
  public interface Place {
    /** Gives the place to other work during the pause, if that other work should run. */
    void during(Wait wait, Pause pause) throws IOException, InterruptedException;
  }

  /** Returns the caller that this thread works for. */
  public static Caller current() {
    Caller current = CURRENT.get();
    return current == null ? NOBODY : current;
  }

  /** Runs the work on this thread for the caller, and then restores the thread's own caller. */
  public void run(Runnable work) {
    Caller outer = current();
    bind();
    try {
      work.run();
    } finally {
      outer.bind();
    }
  }

  /** Lets this thread work for the caller from now on. */
  void bind() {
    if (equals(NOBODY)) {
      CURRENT.remove();
    } else {
      CURRENT.set(this);
    }
  }

  Caller withCancellation(Optional<Cancellation> other) {
    return new Caller(other, budget, place, origin);
  }

  Caller withBudget(Optional<RetryBudget> other) {
    return new Caller(cancellation, other, place, origin);
  }

  Caller withOrigin(Origin other) {
    return new Caller(cancellation, budget, place, other);
  }

  /** Begins a task in this thread, with a new budget; replaces an earlier task. */
  public static void beginTask(Origin origin) {
    current().withBudget(Optional.of(new RetryBudget())).withOrigin(origin).bind();
  }

  /** Ends this thread's task. */
  public static void endTask() {
    current().withBudget(Optional.empty()).withOrigin(Origin.NONE).bind();
  }

  /** Returns a caller for whom nothing is known but the origin of this one. */
  public Caller onlyOrigin() {
    return NOBODY.withOrigin(origin);
  }

  /**
   * Runs work on the calling thread for the task of this caller, or for no task if this caller has
   * none. An unknown origin leaves that of the thread as it is. The task that the thread worked for
   * before is restored afterwards.
   */
  public void runTask(Runnable work) {
    Caller thread = current().withBudget(budget);
    (origin.equals(Origin.NONE) ? thread : thread.withOrigin(origin)).run(work);
  }

  /** Wraps work for another thread; there it counts for the task of this caller. */
  Runnable handedOver(Runnable work) {
    boolean hasTask = budget.isPresent() || !origin.equals(Origin.NONE);
    return hasTask ? () -> runTask(work) : work;
  }

  /** Returns a caller whose work runs at this place of a pool, and that is nothing else yet. */
  public static Caller at(Place place) {
    return new Caller(Optional.empty(), Optional.empty(), Optional.of(place), Origin.NONE);
  }

  /**
   * Fails if the work was cancelled.
   *
   * @throws InterruptedIOException without setting the thread's interrupt flag
   */
  public void check() throws InterruptedIOException {
    if (cancellation.isPresent()) {
      cancellation.get().check();
    }
  }

  /**
   * Sleeps for the delay, or until {@code isOver} returns true.
   *
   * @param isOver asked every 50 ms
   * @throws InterruptedIOException if the work was cancelled; the thread's interrupt flag is not
   *     set
   */
  public void sleep(Time time, Duration delay, BooleanSupplier isOver)
      throws InterruptedException, InterruptedIOException {
    Duration left = delay;
    check();
    while (left.compareTo(Duration.ZERO) > 0 && !isOver.getAsBoolean()) {
      Duration step = left.compareTo(Cancellation.LOOK) < 0 ? left : Cancellation.LOOK;
      time.sleep(step);
      check();
      left = left.minus(step);
    }
  }

  /** Waits without sending a request; a place in a pool goes to other work meanwhile. */
  public void waits(Wait wait, Pause pause) throws IOException, InterruptedException {
    if (place.isPresent()) {
      place.get().during(wait, pause);
    } else {
      pause.run();
    }
  }

  /** Work that may be cancelled by another thread. */
  @FunctionalInterface
  public interface Cancellable {
    /** Learns that the work was cancelled. Must not block or fail. */
    void cancelled();
  }

  /**
   * Tells the other when the work is cancelled, or at once if it was already cancelled. Nothing is
   * told after the registration has ended.
   */
  public Registration onCancel(Cancellable other) {
    return cancellation.isPresent() ? cancellation.get().register(other) : Registration.NONE;
  }

  /** A registration, which is ended when nothing needs to be told any more. */
  @FunctionalInterface
  public interface Registration {
    Registration NONE = () -> {};

    void end();
  }
}
