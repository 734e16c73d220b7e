/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

/**
 * Puts the inline files of a job that commits.
 *
 * <p>An upload is completed only once, whoever asks for it and however late. A PUT has no such
 * protection: if it takes effect after its commit was undone, or after another job has deleted the
 * file, old rows come back. So a PUT is sent only while no other process can have taken the job for
 * dead, and the end of the commit takes care of PUTs without an answer.
 */
final class InlineFiles {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Stores stores;
  private final Time time;
  private final LeaseClock lease;
  private final UnansweredWrites unanswered;
  private final Duration waitMax;

  /**
   * @param waitMax the longest wait for a store that takes no lease
   */
  InlineFiles(
      Stores stores, Time time, LeaseClock lease, UnansweredWrites unanswered, Duration waitMax) {
    this.stores = stores;
    this.time = time;
    this.lease = lease;
    this.unanswered = unanswered;
    this.waitMax = waitMax;
  }

  /** Puts a file. Waits while the lease is not fresh. */
  void put(InlineFile file) throws IOException {
    Body body = lease.guarded(file.content().orElseThrow());
    long startNanos = time.nowNanos();
    while (true) {
      awaitFresh(startNanos);
      try {
        stores.of(file.bucket()).put(file.key(), body, Condition.NONE);
        return;
      } catch (IOException e) {
        if (!LeaseClock.StaleException.isCauseOf(e) || lease.isClosed() || isOver(startNanos)) {
          throw e;
        }
      }
    }
  }

  private boolean isOver(long startNanos) {
    return time.nowNanos() - startNanos >= waitMax.toNanos();
  }

  private void awaitFresh(long startNanos) throws IOException {
    try {
      while (!lease.isFresh() && !lease.isClosed() && !isOver(startNanos)) {
        Cancellation.sleep(time, POLL, lease::isFresh);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a commit's lease was being renewed");
    }
  }

  /** Returns the keys of the job's own files at which a PUT may still take effect. */
  List<ObjectKey> unsettled(Intent intent) {
    return unanswered.matching(key -> isFileOf(intent, key));
  }

  private static boolean isFileOf(Intent intent, ObjectKey key) {
    return Intent.isOwn(intent.job().id(), key.key()) && !IntentNames.isOne(key.key());
  }

  /** Waits until no PUT of the job can take effect any more. */
  void awaitSettled(Intent intent) throws IOException {
    Duration atLeast = UnansweredWrites.DELETE_SETTLING;
    unanswered.awaitNone(
        key -> isFileOf(intent, key), waitMax.compareTo(atLeast) > 0 ? waitMax : atLeast);
  }

  /** Returns true if a PUT of one of these keys, in the buckets of any table, may take effect. */
  boolean isAnyUnsettled(List<String> keys) {
    return !unanswered.matching(key -> keys.contains(key.key())).isEmpty();
  }
}
