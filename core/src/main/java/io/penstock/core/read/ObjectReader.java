/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.ReadBudget.Ask;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads one object by bounded ranges. All ranges come from the same version of the object: each
 * request requires the ETag of the first answer, or an ETag known before. A read throws an {@link
 * ObjectChangedException} if the object was overwritten, a StoreException NO_SUCH_KEY if it is not
 * there, and an InterruptedIOException if it is interrupted or cancelled. The reader can be used
 * again after a failure.
 *
 * <p>{@link #read} keeps a buffer and may be used by one thread only. {@link #readFully} and {@link
 * #readInto} keep no buffer and may be used by any thread.
 */
public final class ObjectReader {
  private final String key;
  private final Executor pool;
  private final Reads reads;
  private final ReadConfig config;
  private final ReadPlanner planner;
  private final ReadAheadDepth depth = new ReadAheadDepth();
  private final ReadHold hold;
  private final long sizeBytes;
  private final PinnedObject object;
  private ObjectSlice buffer;
  private ReadHold.Piece ofBuffer;

  private final Deque<ReadAhead> ahead = new ArrayDeque<>();
  private long aheadEnd;

  private ObjectReader(
      ObjectStore store,
      String key,
      long sizeBytes,
      Optional<String> etag,
      Reads reads,
      ReadPolicy policy,
      ReadHold hold,
      Executor pool) {
    this.key = key;
    this.sizeBytes = sizeBytes;
    this.object = new PinnedObject(store, key, sizeBytes, etag);
    this.aheadEnd = sizeBytes;
    this.reads = reads;
    this.config = reads.config();
    this.planner = new ReadPlanner(reads.config(), policy);
    this.hold = hold;
    this.pool = pool;
  }

  /**
   * Returns a reader of an object whose size is known. Makes no request. If no ETag is given, the
   * size may be smaller than the object's; then the object is read up to that size. If the object
   * is smaller, the first read fails.
   */
  public static ObjectReader ofKnown(
      ObjectStore store,
      String key,
      long sizeBytes,
      Optional<String> etag,
      Reads reads,
      ReadPolicy policy,
      Executor pool) {
    ReadHold hold = new ReadHold(reads);
    return new ObjectReader(store, key, sizeBytes, etag, reads, policy, hold, pool).watched();
  }

  /**
   * Returns a reader of an object whose size and ETag are unknown. Makes one request, for the bytes
   * that will most likely be read first, or for fewer bytes if there is little memory. Makes a
   * second request only if the object contains no byte of {@code first}.
   */
  public static ObjectReader open(
      ObjectStore store, String key, Range first, Reads reads, ReadPolicy policy, Executor pool)
      throws IOException {
    ReadHold hold = new ReadHold(reads);
    ReadHold.Piece piece = hold.take(askFor(first, reads.config()));
    try {
      ObjectSlice slice = store.get(key, fitted(first, piece), Optional.empty());
      ObjectReader reader =
          new ObjectReader(
              store,
              key,
              slice.meta().sizeBytes(),
              Optional.of(slice.meta().etag()),
              reads,
              policy,
              hold,
              pool);
      reader.keep(slice, piece);
      reader.planner.fetched(new ByteRange(slice.start(), slice.end()));
      return reader.watched();
    } catch (IOException | RuntimeException | Error e) {
      piece.giveBack();
      if (!(e instanceof StoreException known) || known.kind() != Kind.RANGE_NOT_SATISFIABLE) {
        throw e;
      }
      long sizeBytes = store.head(key).sizeBytes();
      return new ObjectReader(store, key, sizeBytes, Optional.empty(), reads, policy, hold, pool)
          .watched();
    }
  }

  private static Ask askFor(Range first, ReadConfig config) {
    return first instanceof SuffixRange tail
        ? new Ask(tail.lengthBytes(), tail.lengthBytes(), config.rangeMinBytes())
        : ask(((ByteRange) first).lengthBytes(), config);
  }

  private static Range fitted(Range first, ReadHold.Piece piece) {
    return first instanceof ByteRange range
        ? new ByteRange(range.start(), range.start() + piece.bytes())
        : new SuffixRange(piece.bytes());
  }

  private static Ask ask(long wantedBytes, ReadConfig config) {
    return new Ask(wantedBytes, config.rangeFirstBytes(), config.rangeMinBytes());
  }

  private ObjectReader watched() {
    hold.endWith(this);
    return this;
  }

  /**
   * Tells the reader that bytes after this position will hardly be read. It reads ahead only a
   * little further. All bytes can be read nevertheless.
   *
   * @param end may be after the end of the object
   */
  public void expectEnd(long end) {
    // A reader of lines reads until the end of the line in which its part of the file ends.
    aheadEnd = end < sizeBytes - config.rangeMinBytes() ? end + config.rangeMinBytes() : sizeBytes;
  }

  /**
   * Tells the reader the size that the object had when it was planned to read it. An object of
   * another size has been replaced, and a plan for the old one would pass over a part of its rows.
   *
   * @throws ObjectChangedException if the object has another size; also every later read that finds
   *     another one
   */
  public void expectSize(long bytes) throws ObjectChangedException {
    try {
      object.expectSize(bytes);
    } catch (ObjectChangedException e) {
      release();
      throw e;
    }
  }

  /**
   * Tells the reader of a columnar format that a read near the end of the object should fetch so
   * many of its last bytes at once.
   */
  public void expectTail(long bytes) {
    planner.tail(bytes);
  }

  /**
   * Tells the reader that all bytes from this position to the expected end will be read in
   * sequence. The first read there already reads ahead.
   */
  public void expectSequence(long start) {
    planner.promised(start);
    if (buffer != null && planner.readsAhead()) {
      beginAhead(buffer.end());
    }
  }

  /**
   * Returns what requests the next ranges while the reader's caller decodes the present ones.
   *
   * @param format returns what is known about the order of reads in the version with this ETag;
   *     called at the first read, once
   */
  public RangesAhead rangesAhead(Function<Optional<String>, Optional<NextRanges>> format) {
    return new RangesAhead(key, () -> format.apply(object.etag()), reads, hold, pool, object::get);
  }

  public String bucket() {
    return object.bucket();
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Copies bytes from a position, at most as many as one fetch returns.
   *
   * @return the number of bytes copied, at least 1 unless {@code length} is 0; -1 at the end
   */
  public int read(long position, byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position >= sizeBytes) {
      return -1;
    }
    if (buffer == null || position < buffer.start() || position >= buffer.end()) {
      if (planner.isRandom() && length >= directBytes()) {
        return readDirectly(position, into, offset, length);
      }
      fill(position, length);
    }
    int from = (int) (position - buffer.start());
    int count = Math.min(length, buffer.bytes().length - from);
    System.arraycopy(buffer.bytes(), from, into, offset, count);
    return count;
  }

  private long directBytes() {
    return Math.max(2 * TransferSpeed.PIECE_MIN_BYTES, config.rangeMinBytes());
  }

  private int readDirectly(long position, byte[] into, int offset, int length) throws IOException {
    release();
    int count = (int) Math.min(length, sizeBytes - position);
    planner.plan(position, count, sizeBytes);
    readFully(position, into, offset, count);
    return count;
  }

  /** Returns the number of bytes from this position on that can be read without a request. */
  public int buffered(long position) {
    boolean inside = buffer != null && position >= buffer.start() && position < buffer.end();
    return inside ? (int) (buffer.end() - position) : 0;
  }

  /**
   * Reads a range by one request, and passes its bytes on as they arrive, some of them maybe more
   * than once. The sink gets nothing after the call has ended; then all bytes were passed on, or
   * the call has failed. The caller must count the bytes against the budget, as {@link FetchQueue}
   * does.
   *
   * @throws EOFException when the range reaches past the end of the object
   */
  public void readInto(ByteRange range, ByteSink sink) throws IOException {
    checkEnd(range.start(), Math.toIntExact(range.lengthBytes()));
    object.read(range, sink);
  }

  private void checkEnd(long position, int length) throws EOFException {
    if (position + length > sizeBytes) {
      throw new EOFException(
          "bytes [%d, %d) are past the end of s3://%s/%s, which has %d bytes"
              .formatted(position, position + length, object.bucket(), key, sizeBytes));
    }
  }

  /**
   * Reads a range into an array, without a buffer. A large range is read by several requests at
   * once. If there is not enough memory for them, they are smaller and made in turn.
   *
   * @throws EOFException when the range reaches past the end of the object
   */
  public void readFully(long position, byte[] into, int offset, int length) throws IOException {
    checkEnd(position, length);
    if (length == 0) {
      return;
    }
    ByteRange whole = new ByteRange(position, position + length);
    List<ByteRange> pieces = RangeSplitter.split(whole, reads.pieceBytes(length));
    new SplitRead(config, hold, pool, object::get).read(pieces, into, offset);
  }

  /** Drops the buffer and the read-ahead. Called by the thread that reads; it may read on. */
  public void release() {
    dropBuffer();
    dropAhead();
  }

  private void fill(long position, int length) throws IOException {
    dropBuffer(); // before the next buffer arrives: a stream holds one buffer and what is ahead
    try {
      if (!ahead.isEmpty() && ahead.peek().contains(position)) {
        takeAhead();
      } else {
        dropAhead();
        fetchFor(position, length);
      }
    } catch (IOException | RuntimeException | Error e) {
      dropAhead(); // The reader may not come back.
      throw e;
    }
  }

  private void takeAhead() throws IOException {
    if (ahead.stream().allMatch(ReadAhead::isThere)) {
      depth.wasReady();
    }
    ReadAhead next = ahead.remove();
    if (!next.isThere() && reads.gainsByMore()) {
      depth.waited();
    }
    ByteRange range = next.range();
    planner.plan(range.start(), range.lengthBytes(), range.end());
    try {
      readAhead(range.end()); // before waiting, so that no connection waits, too
    } catch (RuntimeException | Error e) {
      next.drop();
      throw e;
    }
    keep(next.await(), next.piece());
  }

  private void fetchFor(long position, int length) throws IOException {
    ByteRange wish = expected(planner.plan(position, length, sizeBytes), position + length);
    ReadHold.Piece piece = hold.take(ask(wish.lengthBytes(), config));
    ByteRange range =
        piece.bytes() == wish.lengthBytes()
            ? wish
            : new ByteRange(position, Math.min(wish.end(), position + piece.bytes()));
    planner.fetched(range);
    try {
      if (planner.readsAhead()) {
        beginAhead(range.end());
      }
      keep(object.get(range), piece);
    } catch (IOException | RuntimeException | Error e) {
      piece.giveBack();
      throw e;
    }
  }

  /**
   * Returns the planned range without what lies far after the expected end.
   *
   * @param neededEnd the end of what is asked for
   */
  private ByteRange expected(ByteRange wish, long neededEnd) {
    // A reader that goes on after the end gets more each time.
    long window = Math.max(config.rangeMinBytes(), wish.start() - aheadEnd);
    long least = Math.max(neededEnd, wish.start() + window);
    long most = Math.max(neededEnd, wish.start() + reads.windowMaxBytes());
    long end = Math.min(Math.min(wish.end(), most), Math.max(aheadEnd, least));
    return new ByteRange(wish.start(), end);
  }

  /** Returns the number of bytes after this position that may be requested ahead. */
  private long aheadBytes(long position) {
    return Math.max(0, Math.min(planner.aheadMaxBytes(), aheadEnd - position));
  }

  private void beginAhead(long position) {
    depth.begin(reads.requests(aheadBytes(position)));
    readAhead(position);
  }

  /**
   * Requests ranges ahead.
   *
   * @param position the end of the range that is needed now
   */
  private void readAhead(long position) {
    long start = ahead.isEmpty() ? position : ahead.getLast().range().end();
    long end = position + aheadBytes(position);
    long leastBytes = end == aheadEnd ? 1 : config.rangeFirstBytes();
    while (ahead.size() < depth.now() && end - start >= leastBytes) {
      long window =
          Math.min(end - start, planner.windowAheadBytes(ahead.size(), reads.windowMaxBytes()));
      Optional<ReadHold.Piece> piece = hold.grow(ask(window, config));
      if (piece.isEmpty()) {
        return;
      }
      ByteRange range = new ByteRange(start, start + piece.get().bytes());
      ahead.add(new ReadAhead(pool, range, piece.get(), () -> object.get(range)));
      start = range.end();
    }
  }

  private void keep(ObjectSlice slice, ReadHold.Piece piece) {
    piece.keep(slice.bytes().length);
    buffer = slice;
    ofBuffer = piece;
  }

  private void dropBuffer() {
    if (buffer != null) {
      buffer = null;
      ofBuffer.giveBack();
    }
  }

  private void dropAhead() {
    ahead.forEach(ReadAhead::drop);
    ahead.clear();
  }
}
