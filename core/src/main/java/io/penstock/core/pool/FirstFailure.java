/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import java.io.IOException;

/**
 * Combines the failures of many pieces of work into one exception. The first failure is thrown, the
 * second is added to it as suppressed, and the others are counted. An outage fails thousands of
 * requests in the same way, and nobody reads a thousand stack traces. Safe for many threads.
 */
public final class FirstFailure {
  /** The first failure as it was added. It becomes an IOException only when it is thrown. */
  private Throwable first;

  private IOException thrown;
  private long firstRank;
  private Throwable second;
  private long secondRank;
  private long others;
  private long added;

  /**
   * Adds a failure. A failure that is the same object as the first failure or its cause is not
   * counted again, because several pieces of work may share it.
   */
  public synchronized void add(Throwable failure) {
    add(added, failure);
  }

  /**
   * Adds a failure that may arrive out of order.
   *
   * @param rank the position in the order; a lower rank is earlier
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

  /**
   * Throws the first failure with the suppressed ones. Does nothing if there is no failure. A
   * failure that is no IOException becomes the cause of a new one. May be called again when more
   * failures have been added.
   */
  public void throwIfPresent() throws IOException {
    IOException failure = toException();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Returns the first failure with the suppressed ones, or null if there is no failure. A failure
   * that is no IOException becomes the cause of a new one. May be called again when more failures
   * have been added.
   */
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
          new IOException(
              "there were %,d more failures; the first of them:".formatted(others), second));
    }
    others = 0;
    return thrown;
  }
}
