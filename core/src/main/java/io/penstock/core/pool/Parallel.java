/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Runs one action for many items at once, and waits for all of them. */
public final class Parallel {
  /**
   * The default number of items at once. It is enough for all threads of a pool, and for many
   * requests that wait for an unreachable store.
   */
  private static final int AT_ONCE = 1_024;

  private Parallel() {}

  /**
   * How many items are under way at once.
   *
   * @param first at the beginning
   * @param most each item that is done, or has failed, makes room for one more, up to so many
   */
  public record Room(int first, int most) {
    public static Room of(int atOnce) {
      return new Room(atOnce, atOnce);
    }
  }

  /** An action that may fail. */
  @FunctionalInterface
  public interface Action<T> {
    void run(T item) throws IOException;
  }

  /** Work that returns a result and may fail. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Runs the action for every item, even after an action has failed, because a clean-up needs that.
   * After an interrupt no further action starts, but the method waits for the actions under way:
   * when a clean-up returns, nothing must still be running.
   *
   * <p>Must not be called on a thread of the pool that runs the actions.
   *
   * @throws IOException the failure of the first failed item, in the order of the items; see {@link
   *     FirstFailure}; a RuntimeException or Error of an action, of {@code items} or of the pool is
   *     its cause
   * @throws InterruptedIOException when the calling thread is interrupted; its interrupt flag is
   *     set again, and failures of actions are suppressed in it
   */
  public static <T> void forEach(Executor pool, Iterable<T> items, Action<T> action)
      throws IOException {
    forEachIn(item -> pool, items, action);
  }

  /** Does the same as {@link #forEach}; each item's action runs in the lane chosen for it. */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Iterable<T> items, Action<T> action) throws IOException {
    forEachIn(lane, items, Room.of(AT_ONCE), action);
  }

  /**
   * Does the same as {@link #forEachIn(Function, Iterable, Action)}, with a limit on the items at
   * once.
   *
   * @param room for the items that run or wait in their lanes; later items are not taken from
   *     {@code items} before
   */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Iterable<T> items, Room room, Action<T> action)
      throws IOException {
    run(lane, items, room, action, false);
  }

  /**
   * Runs the action for every item until one action fails. After a failure or an interrupt no
   * further action starts, and the method waits for the actions under way. It is for work whose
   * effect must be undone when a part of it fails, and for work that is useless after a failure.
   *
   * <p>Must not be called on a thread of the pool that runs the actions.
   *
   * @throws IOException the failure of the first failed item, in the order of the items; see {@link
   *     FirstFailure}; a RuntimeException or Error of an action, of {@code items} or of the pool is
   *     its cause
   * @throws InterruptedIOException when the calling thread is interrupted; its interrupt flag is
   *     set again, and failures of actions are suppressed in it
   */
  public static <T> void untilFailure(Executor pool, Iterable<T> items, Action<T> action)
      throws IOException {
    untilFailureIn(item -> pool, items, action);
  }

  /** Does the same as {@link #untilFailure}; each item's action runs in the lane chosen for it. */
  public static <T> void untilFailureIn(
      Function<? super T, Executor> lane, Iterable<T> items, Action<T> action) throws IOException {
    untilFailureIn(lane, items, Room.of(AT_ONCE), action);
  }

  /**
   * Does the same as {@link #untilFailureIn(Function, Iterable, Action)}, with a limit on the items
   * at once.
   *
   * @param room as for {@link #forEachIn}
   */
  public static <T> void untilFailureIn(
      Function<? super T, Executor> lane, Iterable<T> items, Room room, Action<T> action)
      throws IOException {
    run(lane, items, room, action, true);
  }

  /**
   * @param stopsAtFailure true if no further action starts after a failure
   */
  private static <T> void run(
      Function<? super T, Executor> lane,
      Iterable<T> items,
      Room room,
      Action<T> action,
      boolean stopsAtFailure)
      throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    Window window = new Window(room, stopped);
    FirstFailure failures = new FirstFailure();
    AtomicLong finished = new AtomicLong();
    long asked = 0;
    try {
      for (T item : items) {
        Executor pool = lane.apply(item);
        long own = asked++;
        Runnable step =
            () -> {
              try {
                if (!stopped.get()) {
                  action.run(item);
                  finished.incrementAndGet();
                }
              } catch (Throwable e) {
                stopped.compareAndSet(false, stopsAtFailure);
                failures.add(own, e);
              } finally {
                window.widen();
                window.leave();
              }
            };
        window.enter();
        if (stopped.get()) {
          window.leave();
          break;
        }
        try {
          pool.execute(step);
        } catch (Throwable e) {
          stopped.compareAndSet(false, stopsAtFailure);
          failures.add(own, e);
          window.leave();
        }
      }
    } catch (Throwable e) {
      // The iteration itself failed. The actions of the earlier items are still waited for.
      failures.add(asked, e);
    }
    window.awaitEmpty();
    if (window.isInterrupted) {
      throw interrupted(failures);
    }
    failures.throwIfPresent();
    if (finished.get() < asked) {
      // The caller takes a return for success, so an action that was not done must be reported.
      throw new IOException(
          "%d of %d actions were not done, for an unknown reason"
              .formatted(asked - finished.get(), asked));
    }
  }

  private static InterruptedIOException interrupted(FirstFailure failures) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure =
        new InterruptedIOException("interrupted while requests were under way");
    if (failures.isPresent()) {
      failure.addSuppressed(failures.toException());
    }
    return failure;
  }

  /** Limits the actions under way, and remembers an interrupt until all of them have ended. */
  private static final class Window {
    private final int most;
    private final AtomicInteger size;
    private final Semaphore free;
    private final AtomicBoolean stopped;
    private boolean isInterrupted;

    Window(Room room, AtomicBoolean stopped) {
      this.most = room.most();
      this.size = new AtomicInteger(room.first());
      this.free = new Semaphore(room.first());
      this.stopped = stopped;
    }

    void widen() {
      int before = size.getAndUpdate(now -> Math.min(most, now + 1));
      free.release(before < most ? 1 : 0);
    }

    void enter() {
      acquire(1);
    }

    void leave() {
      free.release();
    }

    /** Waits for all actions. Those that end meanwhile may widen the window. */
    void awaitEmpty() {
      int held = 0;
      while (held < size.get()) {
        acquire(1);
        held++;
      }
    }

    private void acquire(int permits) {
      while (true) {
        try {
          free.acquire(permits);
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
          stopped.set(true);
        }
      }
    }
  }

  /**
   * Starts work in the pool. Every failure, including an Error, is a failure of the returned
   * future. This includes a pool that cannot accept the work, for example because there is no
   * memory for another thread. An IOException of the work is the cause that {@code get} reports.
   * Cancelling the future does not stop the work.
   */
  public static <T> CompletableFuture<T> start(Executor pool, Work<T> work) {
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return work.run();
            } catch (IOException e) {
              throw new CompletionException(e);
            }
          },
          pool);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
