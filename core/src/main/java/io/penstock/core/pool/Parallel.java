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

/** Runs one action over many items at once, and waits for all of them. */
public final class Parallel {
  private Parallel() {}

  /** An action that may fail. */
  @FunctionalInterface
  public interface Action<T> {
    void run(T item) throws IOException;
  }

  /**
   * Runs the action for every item, also after one has failed. After an interrupt no further action
   * starts, but those under way are waited for: whoever cleans up must know that nothing moves.
   *
   * @throws IOException the first item's failure in the order of the items, the others suppressed
   */
  public static <T> void forEach(Executor pool, Collection<T> items, Action<T> action)
      throws IOException {
    AtomicBoolean interrupted = new AtomicBoolean();
    List<CompletableFuture<Void>> steps = new ArrayList<>(items.size());
    for (T item : items) {
      steps.add(CompletableFuture.runAsync(() -> run(action, item, interrupted), pool));
    }
    IOException first = null;
    for (CompletableFuture<Void> step : steps) {
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

  private static <T> void run(Action<T> action, T item, AtomicBoolean interrupted) {
    if (interrupted.get()) {
      return;
    }
    try {
      action.run(item);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static IOException combine(IOException first, Throwable cause) {
    IOException failure = cause instanceof IOException io ? io : new IOException(cause);
    if (first == null) {
      return failure;
    }
    first.addSuppressed(failure);
    return first;
  }
}
