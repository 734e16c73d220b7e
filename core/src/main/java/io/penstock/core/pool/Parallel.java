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
   * Runs the action for every item, also after one has failed. After an interrupt no further action
   * starts, but those under way are waited for: whoever cleans up must know that nothing moves.
   *
   * @throws IOException the first item's failure in the order of the items, the others suppressed
   */
  public static <T> void forEach(Executor pool, Collection<T> items, Action<T> action)
      throws IOException {
    forEachIn(item -> pool, items, action);
  }

  /** Does the same as {@link #forEach}; each item's action runs in the lane chosen for it. */
  public static <T> void forEachIn(
      Function<? super T, Executor> lane, Collection<T> items, Action<T> action)
      throws IOException {
    AtomicBoolean interrupted = new AtomicBoolean();
    List<CompletableFuture<Object>> steps = new ArrayList<>(items.size());
    for (T item : items) {
      steps.add(
          start(
              lane.apply(item),
              () -> {
                if (!interrupted.get()) {
                  action.run(item);
                }
                return null;
              }));
    }
    IOException first = null;
    for (CompletableFuture<Object> step : steps) {
      for (boolean waiting = true; waiting; ) {
        try {
          step.get();
          waiting = false;
        } catch (InterruptedException e) {
          interrupted.set(true);
        } catch (ExecutionException e) {
          first = combine(first, e.getCause());
          waiting = false;
        }
      }
    }
    if (interrupted.get()) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          new InterruptedIOException("interrupted while requests were under way");
      if (first != null) {
        failure.addSuppressed(first);
      }
      throw failure;
    }
    if (first != null) {
      throw first;
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

  private static IOException combine(IOException first, Throwable cause) {
    IOException failure = cause instanceof IOException io ? io : new IOException(cause);
    if (first == null) {
      return failure;
    }
    if (first != failure) { // Items may wait for one thing, and so share its failure.
      first.addSuppressed(failure);
    }
    return first;
  }
}
