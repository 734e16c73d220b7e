/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.read.ReadBudget.Ask;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Reads one object by bounded ranges. All ranges come from the same version of the object: each
 * request requires the ETag of the first answer, or an ETag known before. If the object has
 * changed, the read fails.
 *
 * <p>{@link #read} keeps a buffer and may be used by one thread only. {@link #readFully} and {@link
 * #fetch} keep no buffer and may be used by any thread.
 */
public final class ObjectReader {
  private final ObjectStore store;
  private final String key;
  private final Executor pool;
  private final ReadConfig config;
  private final ReadPlanner planner;
  private final ReadHold hold;
  private final long sizeBytes;
  private volatile Optional<String> etag;
  private ObjectSlice buffer;
  private ReadHold.Piece ofBuffer;
  private ReadAhead ahead;

  private ObjectReader(
      ObjectStore store,
      String key,
      long sizeBytes,
      Optional<String> etag,
      Reads reads,
      ReadPolicy policy,
      ReadHold hold,
      Executor pool) {
    this.store = store;
    this.key = key;
    this.sizeBytes = sizeBytes;
    this.etag = etag;
    this.config = reads.config();
    this.planner = new ReadPlanner(reads.config(), policy);
    this.hold = hold;
    this.pool = pool;
  }

  /**
   * Returns a reader of an object whose size is known. Makes no request. If no ETag is given, the
   * size may be smaller than the object's; then the object is read up to that size.
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
   * second request only if the object is empty.
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
    return first instanceof ByteRange range
        ? ask(range.lengthBytes(), config)
        // A range of the last bytes cannot be shortened, because the important bytes are at its
        // end.
        : ask(config.rangeMinBytes(), config);
  }

  private static Range fitted(Range first, ReadHold.Piece piece) {
    return first instanceof ByteRange range
        ? new ByteRange(range.start(), range.start() + piece.bytes())
        : first;
  }

  private static Ask ask(long wantedBytes, ReadConfig config) {
    return new Ask(wantedBytes, config.rangeFirstBytes(), config.rangeMinBytes());
  }

  private ObjectReader watched() {
    hold.endWith(this);
    return this;
  }

  public String bucket() {
    return store.bucket();
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Copies bytes from a position, at most as many as one fetch returns.
   *
   * @return the number of bytes copied, or -1 at the end of the object
   */
  public int read(long position, byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position >= sizeBytes) {
      return -1;
    }
    if (buffer == null || position < buffer.start() || position >= buffer.end()) {
      fill(position, length);
    }
    int from = (int) (position - buffer.start());
    int count = Math.min(length, buffer.bytes().length - from);
    System.arraycopy(buffer.bytes(), from, into, offset, count);
    return count;
  }

  /** Returns the number of bytes from this position on that can be read without a request. */
  public int buffered(long position) {
    boolean inside = buffer != null && position >= buffer.start() && position < buffer.end();
    return inside ? (int) (buffer.end() - position) : 0;
  }

  /**
   * Reads a range by one request, without a buffer. The caller must count its bytes against the
   * budget, as {@link FetchQueue} does.
   *
   * @throws EOFException when the range reaches past the end of the object
   */
  public byte[] fetch(long position, int length) throws IOException {
    checkEnd(position, length);
    return length == 0 ? new byte[0] : get(new ByteRange(position, position + length)).bytes();
  }

  private void checkEnd(long position, int length) throws EOFException {
    if (position + length > sizeBytes) {
      throw new EOFException(
          "bytes [%d, %d) are past the end of s3://%s/%s, which has %d"
              .formatted(position, position + length, store.bucket(), key, sizeBytes));
    }
  }

  /**
   * Reads a range into an array, without a buffer: by one request if there is memory for it,
   * otherwise piece by piece.
   *
   * @throws EOFException when the range reaches past the end of the object
   */
  public void readFully(long position, byte[] into, int offset, int length) throws IOException {
    checkEnd(position, length);
    for (int done = 0; done < length; ) {
      ReadHold.Piece piece = hold.take(ask(length - done, config));
      try {
        int count = (int) piece.bytes();
        long start = position + done;
        System.arraycopy(
            get(new ByteRange(start, start + count)).bytes(), 0, into, offset + done, count);
        done += count;
      } finally {
        piece.giveBack();
      }
    }
  }

  /** Drops the buffer and the read-ahead. */
  public void release() {
    dropBuffer();
    dropAhead();
  }

  private void fill(long position, int length) throws IOException {
    dropBuffer(); // before the next buffer arrives: a stream holds one buffer and one read-ahead
    if (ahead != null && ahead.contains(position)) {
      takeAhead();
    } else {
      dropAhead();
      fetchFor(position, length);
    }
    readAhead();
  }

  private void takeAhead() throws IOException {
    ReadAhead arrived = ahead;
    ahead = null;
    ByteRange range = arrived.range();
    planner.plan(range.start(), range.lengthBytes(), range.end());
    keep(arrived.await(), arrived.piece());
  }

  private void fetchFor(long position, int length) throws IOException {
    ByteRange wish = planner.plan(position, length, sizeBytes);
    ReadHold.Piece piece = hold.take(ask(wish.lengthBytes(), config));
    ByteRange range =
        piece.bytes() == wish.lengthBytes()
            ? wish
            : new ByteRange(position, Math.min(wish.end(), position + piece.bytes()));
    planner.fetched(range);
    try {
      keep(get(range), piece);
    } catch (IOException | RuntimeException | Error e) {
      piece.giveBack();
      throw e;
    }
  }

  private void readAhead() {
    long left = sizeBytes - buffer.end();
    if (!planner.readsAhead() || left <= 0) {
      return;
    }
    long start = buffer.end();
    hold.grow(ask(Math.min(left, planner.nextWindowBytes()), config))
        .ifPresent(
            piece -> {
              ByteRange range = new ByteRange(start, start + piece.bytes());
              ahead = new ReadAhead(pool, range, piece, () -> get(range));
            });
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
    if (ahead != null) {
      ahead.drop();
      ahead = null;
    }
  }

  private ObjectSlice get(ByteRange range) throws IOException {
    try {
      ObjectSlice slice = store.get(key, range, etag);
      if (slice.meta().sizeBytes() < sizeBytes) {
        throw changed(null);
      }
      pin(slice.meta().etag());
      if (slice.bytes().length != range.lengthBytes()) {
        throw new EOFException(
            "s3://%s/%s gave %d bytes for %s"
                .formatted(store.bucket(), key, slice.bytes().length, range));
      }
      return slice;
    } catch (StoreException e) {
      boolean other =
          e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.RANGE_NOT_SATISFIABLE;
      throw other ? changed(e) : e;
    }
  }

  /**
   * Sets the ETag of the version. Several first requests may run at once; their answers must be of
   * the same version.
   */
  private synchronized void pin(String seen) throws ObjectChangedException {
    if (etag.isPresent() && !etag.get().equals(seen)) {
      throw changed(null);
    }
    etag = Optional.of(seen);
  }

  private ObjectChangedException changed(StoreException cause) {
    return new ObjectChangedException(
        "s3://%s/%s was overwritten while it was read; read it again from the start"
            .formatted(store.bucket(), key),
        cause);
  }
}
