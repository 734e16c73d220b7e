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

/** Runs one action over many items at once, and waits for all of them. */
public final class Parallel {
  private Parallel() {}

  /** An action that may fail. */
  @FunctionalInterface
  public interface Action<T> {
    void run(T item) throws IOException;
  }

  /**
   * Runs the action for every item, also after one has failed.
   *
   * @throws IOException the first item's failure in the order of the items, the others suppressed
   */
  public static <T> void forEach(Executor pool, Collection<T> items, Action<T> action)
      throws IOException {
    List<CompletableFuture<Void>> steps = new ArrayList<>(items.size());
    for (T item : items) {
      steps.add(CompletableFuture.runAsync(() -> run(action, item), pool));
    }
    IOException first = null;
    for (CompletableFuture<Void> step : steps) {
      try {
        step.get();
      } catch (InterruptedException e) {
        steps.forEach(other -> other.cancel(false));
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while requests were under way");
      } catch (ExecutionException e) {
        first = combine(first, e.getCause());
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static <T> void run(Action<T> action, T item) {
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
