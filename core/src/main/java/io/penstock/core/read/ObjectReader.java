/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Reads one object by bounded ranges. All ranges come from the same version of it: the first
 * answer's ETag, or the one known from before, is required of every later one, and a change is an
 * error.
 *
 * <p>{@link #read} keeps a buffer and is for one thread; {@link #fetch} keeps nothing and is for
 * any.
 */
public final class ObjectReader {
  private final ObjectStore store;
  private final String key;
  private final Executor pool;
  private final ReadPlanner planner;
  private final long sizeBytes;
  private volatile Optional<String> etag;
  private ObjectSlice buffer;
  private ByteRange aheadRange;
  private CompletableFuture<ObjectSlice> ahead;

  private ObjectReader(
      ObjectStore store,
      String key,
      long sizeBytes,
      Optional<String> etag,
      ReadPlanner planner,
      Executor pool) {
    this.store = store;
    this.key = key;
    this.sizeBytes = sizeBytes;
    this.etag = etag;
    this.planner = planner;
    this.pool = pool;
  }

  /**
   * A reader of an object whose size is known; makes no request. Without an ETag the size may be
   * less than the object's, which is then read up to it.
   */
  public static ObjectReader ofKnown(
      ObjectStore store,
      String key,
      long sizeBytes,
      Optional<String> etag,
      ReadConfig config,
      ReadPolicy policy,
      Executor pool) {
    return new ObjectReader(store, key, sizeBytes, etag, new ReadPlanner(config, policy), pool);
  }

  /**
   * A reader of an object nothing is known of. Makes one request, for the bytes that will most
   * likely be read first; a second one only when the object is empty.
   */
  public static ObjectReader open(
      ObjectStore store,
      String key,
      Range first,
      ReadConfig config,
      ReadPolicy policy,
      Executor pool)
      throws IOException {
    ReadPlanner planner = new ReadPlanner(config, policy);
    try {
      ObjectSlice slice = store.get(key, first, Optional.empty());
      ObjectReader reader =
          new ObjectReader(
              store,
              key,
              slice.meta().sizeBytes(),
              Optional.of(slice.meta().etag()),
              planner,
              pool);
      reader.buffer = slice;
      planner.fetched(new ByteRange(slice.start(), slice.end()));
      return reader;
    } catch (StoreException e) {
      if (e.kind() != Kind.RANGE_NOT_SATISFIABLE) {
        throw e;
      }
      return new ObjectReader(
          store, key, store.head(key).sizeBytes(), Optional.empty(), planner, pool);
    }
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Copies bytes from a position, as many as one fetch gives.
   *
   * @return how many, or -1 at the end of the object
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

  /** How many bytes from the position on can be had without a request. */
  public int buffered(long position) {
    boolean inside = buffer != null && position >= buffer.start() && position < buffer.end();
    return inside ? (int) (buffer.end() - position) : 0;
  }

  /**
   * Reads a range by one request and keeps nothing.
   *
   * @throws EOFException when the range reaches past the end of the object
   */
  public byte[] fetch(long position, int length) throws IOException {
    if (position + length > sizeBytes) {
      throw new EOFException(
          "bytes [%d, %d) are past the end of s3://%s/%s, which has %d"
              .formatted(position, position + length, store.bucket(), key, sizeBytes));
    }
    return length == 0 ? new byte[0] : get(new ByteRange(position, position + length)).bytes();
  }

  /** Forgets what was buffered. */
  public void release() {
    buffer = null;
    ahead = null;
    aheadRange = null;
  }

  private void fill(long position, int length) throws IOException {
    boolean inAhead =
        aheadRange != null && position >= aheadRange.start() && position < aheadRange.end();
    CompletableFuture<ObjectSlice> pending = ahead;
    ByteRange range =
        inAhead
            ? planner.plan(aheadRange.start(), aheadRange.lengthBytes(), aheadRange.end())
            : planner.plan(position, length, sizeBytes);
    ahead = null;
    aheadRange = null;
    buffer = inAhead ? await(pending) : get(range);
    readAhead();
  }

  private void readAhead() {
    if (!planner.readsAhead() || buffer.end() >= sizeBytes) {
      return;
    }
    long end = Math.min(sizeBytes, buffer.end() + planner.nextWindowBytes());
    ByteRange range = new ByteRange(buffer.end(), end);
    ahead = Parallel.start(pool, () -> get(range));
    aheadRange = range;
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

  /** Several first answers may be under way at once: they must be of one version, too. */
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

  private static ObjectSlice await(CompletableFuture<ObjectSlice> step) throws IOException {
    try {
      return step.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }
}
