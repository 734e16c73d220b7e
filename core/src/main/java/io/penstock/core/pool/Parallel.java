/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Runs one action over many items at once, and waits for all of them. */
public final class Parallel {
  /** Enough for all threads of a pool, and for many requests that wait for an unreachable store. */
  private static final int AT_ONCE = 1_024;

  private Parallel() {}

  /** An action that may fail. */
  @FunctionalInterface
  public interface Action<T> {
    void run(T item) throws IOException;
  }

  /** Work with a result, that may fail. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Runs the action for every item, also after one has failed, as a clean-up must. After an
   * interrupt no further action starts, but those under way are waited for: whoever cleans up must
   * know that nothing moves.
   *
   * @throws IOException the first item's failure in the order of the items; see {@link
   *     FirstFailure}
   */
  public static <T> void forEach(Executor pool, Iterable<T> items, Action<T> action)
      throws IOException {
    forEachIn(item -> pool, items, action);
  }

  /** Does the same as {@link #forEach}; each item's action runs in the lane chosen for it. */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Iterable<T> items, Action<T> action) throws IOException {
    forEachIn(lane, items, AT_ONCE, action);
  }

  /**
   * Does the same.
   *
   * @param atOnce how many items may have been begun or wait in their lanes; later ones are not
   *     even asked for
   */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Iterable<T> items, int atOnce, Action<T> action)
      throws IOException {
    run(lane, items, atOnce, action, false);
  }

  /**
   * Runs the action for every item until one fails. After that, or after an interrupt, no further
   * action starts, and those under way are waited for. It is for work whose effect must be undone
   * when a part of it fails, and for work that is of no use then.
   *
   * @throws IOException the first item's failure in the order of the items; see {@link
   *     FirstFailure}
   */
  public static <T> void untilFailure(Executor pool, Iterable<T> items, Action<T> action)
      throws IOException {
    untilFailureIn(item -> pool, items, action);
  }

  /** Does the same as {@link #untilFailure}; each item's action runs in the lane chosen for it. */
  public static <T> void untilFailureIn(
      Function<? super T, Executor> lane, Iterable<T> items, Action<T> action) throws IOException {
    untilFailureIn(lane, items, AT_ONCE, action);
  }

  /**
   * Does the same.
   *
   * @param atOnce as for {@link #forEachIn}
   */
  public static <T> void untilFailureIn(
      Function<? super T, Executor> lane, Iterable<T> items, int atOnce, Action<T> action)
      throws IOException {
    run(lane, items, atOnce, action, true);
  }

  /**
   * @param stopsAtFailure whether no further action starts after one has failed
   */
  private static <T> void run(
      Function<? super T, Executor> lane,
      Iterable<T> items,
      int atOnce,
      Action<T> action,
      boolean stopsAtFailure)
      throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    Window window = new Window(atOnce, stopped);
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
      // Of the items themselves: those before it are waited for all the same.
      failures.add(asked, e);
    }
    window.awaitEmpty();
    if (window.isInterrupted) {
      throw interrupted(failures);
    }
    failures.throwIfPresent();
    if (finished.get() < asked) {
      // Whoever calls takes a return for success, so nothing may hide that there was none.
      throw new IOException(
          "%d of %d actions were not done, and why is not known"
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

  /** Lets so many actions be under way, and remembers an interrupt until they are over. */
  private static final class Window {
    private final int size;
    private final Semaphore free;
    private final AtomicBoolean stopped;
    private boolean isInterrupted;

    Window(int size, AtomicBoolean stopped) {
      this.size = size;
      this.free = new Semaphore(size);
      this.stopped = stopped;
    }

    void enter() {
      acquire(1);
    }

    void leave() {
      free.release();
    }

    void awaitEmpty() {
      acquire(size);
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
   * Starts work in the pool. Whatever goes wrong is a failure of the result, also an Error, and
   * also when the pool cannot take the work: it may have no memory left for a thread.
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
