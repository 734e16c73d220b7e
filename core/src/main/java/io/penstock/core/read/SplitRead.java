/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.read.ReadBudget.Ask;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Reads a range of an object into an array. A large range is read by several requests at once. If
 * there is not enough memory for them, they are smaller and made in turn.
 */
final class SplitRead {
  private final ReadConfig config;
  private final ReadHold hold;
  private final Executor pool;
  private final Fetch fetch;

  /** One request for a range; it returns all bytes of the range. */
  @FunctionalInterface
  interface Fetch {
    ObjectSlice get(ByteRange range) throws IOException;
  }

  SplitRead(ReadConfig config, ReadHold hold, Executor pool, Fetch fetch) {
    this.config = config;
    this.hold = hold;
    this.pool = pool;
    this.fetch = fetch;
  }

  /**
   * Reads pieces that follow each other.
   *
   * @param offset the position in the array of the first byte of the first piece
   */
  void read(List<ByteRange> pieces, byte[] into, int offset) throws IOException {
    Deque<ReadAhead> underWay = new ArrayDeque<>();
    try {
      int begun = 0;
      for (int i = 0; i < pieces.size(); i++) {
        while (pieces.size() > 1 && begun < pieces.size() && begin(pieces.get(begun), underWay)) {
          begun++;
        }
        ByteRange piece = pieces.get(i);
        int at = offset + (int) (piece.start() - pieces.get(0).start());
        if (begun > i) {
          take(underWay.remove(), into, at);
        } else {
          readInTurn(piece, into, at);
          begun++;
        }
      }
    } finally {
      underWay.forEach(ReadAhead::drop);
    }
  }

  /** Starts to fetch a range if there is memory for all of it. */
  private boolean begin(ByteRange range, Deque<ReadAhead> underWay) {
    long bytes = range.lengthBytes();
    Optional<ReadHold.Piece> piece = hold.grow(new Ask(bytes, bytes, bytes));
    piece.ifPresent(held -> underWay.add(new ReadAhead(pool, range, held, () -> fetch.get(range))));
    return piece.isPresent();
  }

  private static void take(ReadAhead arriving, byte[] into, int offset) throws IOException {
    byte[] bytes = arriving.awaitOrFetch().bytes();
    System.arraycopy(bytes, 0, into, offset, bytes.length);
    arriving.piece().giveBack();
  }

  private void readInTurn(ByteRange range, byte[] into, int offset) throws IOException {
    int length = (int) range.lengthBytes();
    for (int done = 0; done < length; ) {
      Ask ask = new Ask(length - done, config.rangeFirstBytes(), config.rangeMinBytes());
      ReadHold.Piece piece = hold.take(ask);
      try {
        int count = (int) piece.bytes();
        long start = range.start() + done;
        byte[] bytes = fetch.get(new ByteRange(start, start + count)).bytes();
        System.arraycopy(bytes, 0, into, offset + done, count);
        done += count;
      } finally {
        piece.giveBack();
      }
    }
  }
}
