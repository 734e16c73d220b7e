/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;
import io.penstock.core.store.Operation;
import io.penstock.core.time.Time;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets a write wait while an earlier one of the same key that was cut here may still take effect: a
 * PUT would write again what was deleted since, a deletion would delete what was written since.
 * Those do not count that the store or the network has ended: they would have ended so for a client
 * without an engine, too. Safe for use by many threads.
 */
public final class CutWrites implements RequestObserver, RequestObserver.End {
  private static final Set<Operation> WRITES =
      Set.of(Operation.PUT, Operation.DELETE, Operation.DELETE_ALL);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Time time;
  private final Map<Attempt, Request<?>> underWay = new HashMap<>();
  private List<Cut> ended = List.of();

  public CutWrites(Time time) {
    this.time = time;
  }

  /** The keys of a cut write, without its content. */
  private record Cut(boolean isDeletion, String bucket, Set<String> keys, long settledNanos) {
    static Cut of(Request<?> request, long nowNanos) {
      boolean isDeletion = request.operation() != Operation.PUT;
      boolean isBulk = request.operation() == Operation.DELETE_ALL;
      Duration settling = isDeletion ? UnansweredWrites.DELETE_SETTLING : UnansweredWrites.SETTLING;
      return new Cut(
          isDeletion,
          request.bucket(),
          isBulk ? Set.copyOf(request.keys()) : Set.of(request.key()),
          nowNanos + settling.toNanos());
    }

    boolean isAbout(ObjectKey key) {
      return bucket.equals(key.bucket()) && keys.contains(key.key());
    }
  }

  @Override
  public End begins(Request<?> request, Context context, long nowNanos) {
    if (!WRITES.contains(request.operation())) {
      return End.IGNORED;
    }
    synchronized (this) {
      underWay.put(context.attempt(), request);
    }
    return this;
  }

  @Override
  public synchronized void ended(Request<?> request, Context context, Ending ending) {
    underWay.remove(context.attempt());
    if (ending.failure().isPresent() && context.attempt().cutBecause().isPresent()) {
      long now = time.nowNanos();
      List<Cut> all = new ArrayList<>(unsettled(now));
      all.add(Cut.of(request, now));
      ended = all;
    }
  }

  private List<Cut> unsettled(long nowNanos) {
    return ended.stream().filter(cut -> nowNanos < cut.settledNanos()).toList();
  }

  /** Waits until no write of the key may take effect any more that was cut before now. */
  public void awaitSettled(ObjectKey key) throws InterruptedIOException {
    await(key, false);
  }

  /** Does the same for deletions alone: for a write that an earlier PUT cannot undo. */
  public void awaitDeletions(ObjectKey key) throws InterruptedIOException {
    await(key, true);
  }

  private void await(ObjectKey key, boolean ofDeletions) throws InterruptedIOException {
    long endNanos = time.nowNanos() + UnansweredWrites.DELETE_SETTLING.toNanos();
    try {
      while (mayTakeEffect(key, ofDeletions) && time.nowNanos() < endNanos) {
        time.sleep(POLL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an earlier write of the key may arrive");
    }
  }

  private synchronized boolean mayTakeEffect(ObjectKey key, boolean ofDeletions) {
    long now = time.nowNanos();
    // The thread of an attempt that was cut a moment ago has not told its end yet.
    Stream<Cut> ending =
        underWay.entrySet().stream()
            .filter(attempt -> attempt.getKey().cutBecause().isPresent())
            .map(attempt -> Cut.of(attempt.getValue(), now));
    return Stream.concat(ending, unsettled(now).stream())
        .filter(cut -> cut.isDeletion() || !ofDeletions)
        .anyMatch(cut -> cut.isAbout(key));
  }
}
