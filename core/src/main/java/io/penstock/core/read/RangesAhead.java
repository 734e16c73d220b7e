/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.store.ByteRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Requests the ranges that a reader will want next, such as a row group, while the reader decodes
 * the present ones, as far as the read budget has room. It never waits. If nothing is known about
 * the next ranges, it requests nothing. Safe for many threads.
 */
public final class RangesAhead {
  private final String key;
  private final Supplier<Optional<NextRanges>> format;
  private final Reads reads;
  private final ReadHold hold;
  private final Executor pool;
  private final SplitRead.Fetch fetch;
  private Optional<NextRanges> order;
  private List<ByteRange> expected = List.of();
  private List<Merged> requested = List.of();
  private Map<ByteRange, List<ReadAhead>> ahead = Map.of();
  private final List<ReadAhead> taken = new ArrayList<>();
  private boolean isClosed;

  /**
   * @param format returns what is known about the order of reads; empty if nothing
   */
  RangesAhead(
      String key,
      Supplier<Optional<NextRanges>> format,
      Reads reads,
      ReadHold hold,
      Executor pool,
      SplitRead.Fetch fetch) {
    this.key = key;
    this.format = format;
    this.reads = reads;
    this.hold = hold;
    this.pool = pool;
    this.fetch = fetch;
  }

  /**
   * Takes in what the reader asks for, and returns what to {@linkplain #request} as soon as that
   * has arrived; an empty list if nothing.
   *
   * @param wanted sorted, not overlapping
   */
  public synchronized List<ByteRange> after(List<ByteRange> wanted) {
    if (order == null) {
      order = format.get();
    }
    List<ByteRange> next = order.map(known -> known.after(wanted)).orElse(List.of());
    expected = next.isEmpty() || !reads.guesses().isWorthwhile(key) ? List.of() : next;
    return expected;
  }

  /**
   * Requests the ranges, the first ones first, as far as there is memory. Does nothing if the
   * reader has asked for more since.
   *
   * @param ranges what {@link #after} returned
   */
  @SuppressWarnings("ReferenceEquality") // an equal list of an earlier read is another one
  public synchronized void request(List<ByteRange> ranges) {
    if (isClosed || ranges != expected) {
      return;
    }
    requested = reads.merged(ranges);
    ahead = new HashMap<>();
    for (Merged merged : requested) {
      if (!begin(merged.range())) {
        return;
      }
    }
  }

  /**
   * Returns the requests that should read these ranges, before large ones are split. If they were
   * requested before, these are the same as then.
   *
   * @param wanted sorted, not overlapping
   */
  public synchronized List<Merged> merged(List<ByteRange> wanted) {
    List<ByteRange> before = requested.stream().flatMap(m -> m.wanted().stream()).toList();
    return before.equals(wanted) ? requested : reads.merged(wanted);
  }

  /** Begins the requests for a range; returns false if there is no memory for all of them. */
  private boolean begin(ByteRange range) {
    List<ReadAhead> pieces = new ArrayList<>();
    for (ByteRange piece : RangeSplitter.split(range, reads.pieceBytes(range.lengthBytes()))) {
      Optional<ReadHold.Piece> held = hold.takeAhead(piece.lengthBytes());
      if (held.isEmpty()) {
        break;
      }
      pieces.add(new ReadAhead(pool, piece, held.get(), () -> fetch.get(piece)));
    }
    if (pieces.isEmpty()) {
      return false;
    }
    ahead.put(range, pieces);
    return pieces.get(pieces.size() - 1).range().end() == range.end();
  }

  /**
   * Hands over the pieces of a range that were requested before.
   *
   * @param range what is to be read by requests of its own
   * @param there receives each piece with its bytes when they have arrived, on any thread
   * @param missing receives each piece whose request has failed or not begun, on any thread
   * @return the end of the last piece; the start of the range if there is none
   */
  public long take(
      ByteRange range, BiConsumer<ByteRange, byte[]> there, Consumer<ByteRange> missing) {
    List<ReadAhead> pieces;
    synchronized (this) {
      pieces = ahead.isEmpty() ? null : ahead.remove(range);
      if (pieces != null) {
        taken.removeIf(ReadAhead::isThere);
        taken.addAll(pieces);
      }
    }
    if (pieces == null) {
      return range.start();
    }
    reads.guesses().wasRight(key);
    for (ReadAhead piece : pieces) {
      piece.handOver(
          slice -> there.accept(piece.range(), slice.bytes()), () -> missing.accept(piece.range()));
    }
    return pieces.get(pieces.size() - 1).range().end();
  }

  /** Drops what was requested and not taken: the reader has asked for something else. */
  public synchronized void drop() {
    if (!ahead.isEmpty()) {
      reads.guesses().wasWrong(key);
    }
    ahead.values().forEach(pieces -> pieces.forEach(ReadAhead::drop));
    ahead = Map.of();
    requested = List.of();
  }

  /**
   * Drops what was requested and not taken, and what {@link #after} has returned last: the reader
   * pauses.
   */
  public synchronized void pause() {
    expected = List.of();
    drop();
  }

  /**
   * Drops everything, also what was taken and has not arrived; from now on nothing is requested.
   */
  public synchronized void close() {
    isClosed = true;
    drop();
    taken.forEach(ReadAhead::drop);
    taken.clear();
  }
}
