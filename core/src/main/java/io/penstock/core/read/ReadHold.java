/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.read.ReadBudget.Ask;
import java.util.Optional;

/** The bytes of the budget that one stream holds. Safe for use by many threads. */
final class ReadHold {
  private final ReadBudget budget;
  private final long maxBytes;
  private long heldBytes;

  ReadHold(Reads reads) {
    this.budget = reads.budget();
    this.maxBytes = reads.config().memoryMaxBytes();
  }

  /** Gives all bytes back when the owner is no longer reachable: some streams are never closed. */
  void endWith(Object owner) {
    var unused = budget.cleaner().register(owner, this::giveBackAll);
  }

  /** Takes the bytes that the stream needs to continue, and more if there is room. */
  synchronized Piece take(Ask ask) {
    return held(budget.take(ask, heldBytes, maxBytes));
  }

  /** Takes the bytes that the stream could use, if there is room for them. */
  synchronized Optional<Piece> grow(Ask ask) {
    long bytes = budget.grow(ask, heldBytes, maxBytes);
    return bytes == 0 ? Optional.empty() : Optional.of(held(bytes));
  }

  /** Takes the bytes of a range that is not needed yet, if there is ample room. */
  synchronized Optional<Piece> takeAhead(long bytes) {
    return budget.takeAhead(bytes, heldBytes, maxBytes)
        ? Optional.of(held(bytes))
        : Optional.empty();
  }

  private Piece held(long bytes) {
    heldBytes += bytes;
    return new Piece(bytes);
  }

  private synchronized void giveBackAll() {
    giveBack(heldBytes);
  }

  private synchronized void giveBack(long bytes) {
    long held = Math.min(bytes, heldBytes); // All may be given back already.
    heldBytes -= held;
    budget.giveBack(held);
  }

  /** Bytes that are given back together, and only once, even if it is asked for more often. */
  final class Piece {
    private long bytes;

    private Piece(long bytes) {
      this.bytes = bytes;
    }

    synchronized long bytes() {
      return bytes;
    }

    /** Gives back the bytes that are not used. */
    synchronized void keep(long usedBytes) {
      if (usedBytes < bytes) {
        ReadHold.this.giveBack(bytes - usedBytes);
        bytes = usedBytes;
      }
    }

    void giveBack() {
      keep(0);
    }
  }
}
