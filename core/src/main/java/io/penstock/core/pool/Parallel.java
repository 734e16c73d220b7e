/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Runs one action over many items at once, and waits for all of them. */
public final class Parallel {
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
  public static <T> void forEach(Executor pool, Collection<T> items, Action<T> action)
      throws IOException {
    forEachIn(item -> pool, items, action);
  }

  /** Does the same as {@link #forEach}; each item's action runs in the lane chosen for it. */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Collection<T> items, Action<T> action)
      throws IOException {
    run(lane, items, action, new AtomicBoolean());
  }

  /**
   * Runs the action for every item until one fails. After that, or after an interrupt, no further
   * action starts, and those under way are waited for. It is for work whose effect must be undone
   * when a part of it fails, and for work that is of no use then.
   *
   * @throws IOException the first item's failure in the order of the items; see {@link
   *     FirstFailure}
   */
  public static <T> void untilFailure(Executor pool, Collection<T> items, Action<T> action)
      throws IOException {
    untilFailureIn(item -> pool, items, action);
  }

  /** Does the same as {@link #untilFailure}; each item's action runs in the lane chosen for it. */
  public static <T> void untilFailureIn(
      Function<? super T, Executor> lane, Collection<T> items, Action<T> action)
      throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    run(
        lane,
        items,
        item -> {
          try {
            action.run(item);
          } catch (IOException | RuntimeException | Error e) {
            stopped.set(true);
            throw e;
          }
        },
        stopped);
  }

  /**
   * @param stopped once set, no further action starts
   */
  private static <T> void run(
      Function<? super T, Executor> lane,
      Collection<T> items,
      Action<T> action,
      AtomicBoolean stopped)
      throws IOException {
    List<CompletableFuture<Object>> steps = new ArrayList<>(items.size());
    for (T item : items) {
      steps.add(
          start(
              lane.apply(item),
              () -> {
                if (!stopped.get()) {
                  action.run(item);
                }
                return null;
              }));
    }
    FirstFailure failures = new FirstFailure();
    boolean interrupted = false;
    for (CompletableFuture<Object> step : steps) {
      for (boolean waiting = true; waiting; ) {
        try {
          step.get();
          waiting = false;
        } catch (InterruptedException e) {
          interrupted = true;
          stopped.set(true);
        } catch (ExecutionException e) {
          failures.add(e.getCause());
          waiting = false;
        }
      }
    }
    if (interrupted) {
      throw interrupted(failures);
    }
    failures.throwIfPresent();
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
