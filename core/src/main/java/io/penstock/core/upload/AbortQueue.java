/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.pool.FirstFailure;
import io.penstock.core.pool.Uninterruptible;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits a short time for uploads that are being dropped. The caller is often a cancelled task, and
 * its task slot is needed. A store that throttles or is unreachable may need minutes. The pool
 * drops the remaining uploads after the wait.
 */
public final class AbortQueue {
  private static final Logger LOG = LoggerFactory.getLogger(AbortQueue.class);

  /**
   * The longest wait. On a healthy store a drop takes two requests: the one under way, and the
   * abort.
   */
  static final Duration WAIT_MAX = Duration.ofSeconds(1);

  private AbortQueue() {}

  /**
   * Waits until all uploads are dropped, for at most one second in total. An interrupt from before
   * the call does not shorten the wait and is restored; a later one ends it.
   *
   * @throws IOException the failures of drops that ended during the wait; later failures are logged
   */
  public static void await(Collection<CompletableFuture<Void>> drops) throws IOException {
    await(drops, WAIT_MAX);
  }

  static void await(Collection<CompletableFuture<Void>> drops, Duration atMost) throws IOException {
    FirstFailure failures = new FirstFailure();
    Uninterruptible.run(() -> awaitShielded(drops, atMost));
    for (CompletableFuture<Void> drop : drops) {
      if (!drop.isDone()) {
        var unused = drop.whenComplete((dropped, failure) -> logged(failure));
      } else {
        collect(drop, failures);
      }
    }
    failures.throwIfPresent();
  }

  private static void awaitShielded(Collection<CompletableFuture<Void>> drops, Duration atMost) {
    try {
      CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new))
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("some uploads are not dropped yet, or could not be dropped: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // This thread cannot wait even for a second.
    }
  }

  private static void collect(CompletableFuture<Void> drop, FirstFailure failures) {
    try {
      drop.get();
    } catch (ExecutionException e) {
      failures.add(e.getCause());
    } catch (InterruptedException | CancellationException e) {
      throw new IllegalStateException("a step that is done is not waited for", e);
    }
  }

  private static void logged(Throwable failure) {
    if (failure != null) {
      LOG.warn(
          "an upload could not be aborted; it remains until a lifecycle rule for incomplete uploads"
              + " removes it",
          failure);
    }
  }
}
