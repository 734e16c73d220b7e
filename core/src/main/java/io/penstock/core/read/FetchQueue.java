/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Queues fetches with large answers that are kept only briefly, such as those of vectored reads.
 * Only as many fetches run as the read budget has room for. The others wait in a queue without
 * holding a thread; when a fetch gives its bytes back, the next fetches start. Each bucket has its
 * own queue, first come, first served, so that a throttled bucket does not delay the others.
 */
public final class FetchQueue {
  private final ReadBudget budget;
  private final Map<String, Line> lines = new LinkedHashMap<>(); // guarded by this

  FetchQueue(ReadBudget budget) {
    this.budget = budget;
  }

  /**
   * A fetch that waits for room.
   *
   * @param maxBytes of the budget, from the bucket's settings
   * @param pool runs the work
   * @param work gets a Runnable, which it runs as soon as it no longer holds the bytes; when the
   *     work returns, it holds no bytes
   * @param refused receives the failure if the pool cannot run the work
   */
  public record Fetch(
      String bucket,
      long bytes,
      long maxBytes,
      Executor pool,
      Consumer<Runnable> work,
      Consumer<Throwable> refused) {}

  /** The fetches of one bucket. */
  private static final class Line {
    private final Queue<Fetch> waiting = new ArrayDeque<>();
    private long underWayBytes;

    boolean isIdle() {
      return waiting.isEmpty() && underWayBytes == 0;
    }
  }

  /**
   * Starts the fetch now or later. Does not wait. Safe for use by many threads. {@code refused} is
   * called on the calling thread, or on the thread whose fetch gave back its bytes.
   */
  public void submit(Fetch fetch) {
    synchronized (this) {
      lines.computeIfAbsent(fetch.bucket(), bucket -> new Line()).waiting.add(fetch);
    }
    startAll();
  }

  private void startAll() {
    for (Optional<Fetch> next = next(); next.isPresent(); next = next()) {
      start(next.get());
    }
  }

  private void start(Fetch fetch) {
    Hold hold = new Hold(fetch);
    try {
      fetch
          .pool()
          .execute(
              () -> {
                try {
                  fetch.work().accept(hold::end);
                } finally {
                  hold.end();
                }
              });
    } catch (RuntimeException | Error e) { // such as an OutOfMemoryError: no new thread
      giveBack(fetch);
      fetch.refused().accept(e);
    }
  }

  private synchronized Optional<Fetch> next() {
    for (Line line : lines.values()) {
      Fetch first = line.waiting.peek();
      if (first != null
          && budget.takeVectored(first.bytes(), line.underWayBytes, first.maxBytes())) {
        line.underWayBytes += first.bytes();
        return Optional.of(line.waiting.remove());
      }
    }
    return Optional.empty();
  }

  private synchronized void giveBack(Fetch fetch) {
    budget.giveBackVectored(fetch.bytes());
    Line line = lines.get(fetch.bucket());
    line.underWayBytes -= fetch.bytes();
    if (line.isIdle()) {
      lines.remove(fetch.bucket());
    }
  }

  /** Returns the number of fetches that wait now. */
  public synchronized int waiting() {
    int count = 0;
    for (Line line : lines.values()) {
      count += line.waiting.size();
    }
    return count;
  }

  /**
   * The bytes that a running fetch holds. They are given back once, even if {@link #end} is called
   * more often.
   */
  private final class Hold {
    private final Fetch fetch;
    private boolean ended;

    Hold(Fetch fetch) {
      this.fetch = fetch;
    }

    void end() {
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
      }
      giveBack(fetch);
      startAll();
    }
  }
}
