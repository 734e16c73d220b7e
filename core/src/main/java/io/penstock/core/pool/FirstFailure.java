/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;

/**
 * The failures of many pieces of work as one exception: the first is thrown, the second is
 * suppressed in it, and the others are counted. An outage fails thousands of requests in the same
 * way, and nobody reads a thousand stack traces. Safe for many threads.
 */
public final class FirstFailure {
  /** The failure as it came; it is made an IOException when it is thrown. */
  private Throwable first;

  private IOException thrown;
  private long firstRank;
  private Throwable second;
  private long secondRank;
  private long others;
  private long added;

  /** Notes a failure; one that is the first itself, since work may share its cause, counts once. */
  public synchronized void add(Throwable failure) {
    add(added, failure);
  }

  /**
   * Notes a failure that may come out of turn.
   *
   * @param rank the lower, the earlier
   */
  public synchronized void add(long rank, Throwable failure) {
    added++;
    if (first == null) {
      first = failure;
      firstRank = rank;
    } else if (failure != first && failure != first.getCause()) {
      others++;
      if (rank < firstRank) {
        second = first;
        secondRank = firstRank;
        first = failure;
        firstRank = rank;
      } else if (second == null || rank < secondRank) {
        second = failure;
        secondRank = rank;
      }
    }
  }

  public synchronized boolean isPresent() {
    return first != null;
  }

  /** Throws the first failure, with what is to be told of the others; does nothing without one. */
  public void throwIfPresent() throws IOException {
    IOException failure = toException();
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns the first failure, with what is to be told of the others; null when there is none. */
  public synchronized IOException toException() {
    if (first == null) {
      return null;
    }
    if (thrown == null || (thrown != first && thrown.getCause() != first)) {
      thrown = first instanceof IOException io ? io : new IOException(first);
    }
    if (others == 1) {
      thrown.addSuppressed(second);
    } else if (others > 1) {
      thrown.addSuppressed(
          new IOException("%,d others failed too; the next of them:".formatted(others), second));
    }
    others = 0;
    return thrown;
  }
}
