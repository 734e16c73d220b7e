/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ranges of one version of an object: of the one whose ETag was known before, or of the first one
 * that was seen. Safe for many threads. Each read throws an {@link ObjectChangedException} if the
 * object was overwritten.
 */
final class PinnedObject {
  /** The arrays of shorter answers cost little. */
  private static final long LANDED_MIN_BYTES = 1 << 20;

  private final ObjectStore store;
  private final String key;
  private final long sizeBytes;
  private volatile Optional<String> etag;
  private volatile OptionalLong plannedBytes = OptionalLong.empty();

  /**
   * @param sizeBytes the size of the object, or less
   */
  PinnedObject(ObjectStore store, String key, long sizeBytes, Optional<String> etag) {
    this.store = store;
    this.key = key;
    this.sizeBytes = sizeBytes;
    this.etag = etag;
  }

  String bucket() {
    return store.bucket();
  }

  /** Returns the ETag of the version; empty as long as it is not known. */
  Optional<String> etag() {
    return etag;
  }

  /**
   * Refuses every version but those of the size that the object had when it was planned to read it.
   */
  void expectSize(long bytes) throws ObjectChangedException {
    plannedBytes = OptionalLong.of(bytes);
    if (etag.isPresent()) { // Otherwise the size may be less than the object's.
      requirePlanned(sizeBytes);
    }
  }

  private void requirePlanned(long found) throws ObjectChangedException {
    if (plannedBytes.isPresent() && found != plannedBytes.getAsLong()) {
      throw new ObjectChangedException(
          "s3://%s/%s was replaced after the query was planned: it had %d bytes, and now has %d. Create the DataFrame again or run REFRESH TABLE, then run the query again. Or set penstock.read.check.plan=false to read the new file by the old plan, which may miss rows"
              .formatted(store.bucket(), key, plannedBytes.getAsLong(), found),
          null);
    }
  }

  /** Returns all bytes of a range that is inside the object. */
  ObjectSlice get(ByteRange range) throws IOException {
    return asOneVersion(
        () -> {
          ObjectSlice slice = store.get(key, range, etag);
          check(slice.meta(), slice.bytes().length, range);
          return slice;
        });
  }

  /**
   * Passes all bytes of a range on as they arrive, some of them maybe more than once. The sink gets
   * nothing after the call has ended.
   */
  void read(ByteRange range, ByteSink sink) throws IOException {
    if (mayLand(range)) {
      land(range, sink);
    } else {
      byte[] bytes = get(range).bytes();
      sink.take(range.start(), bytes, 0, bytes.length);
    }
  }

  /**
   * Returns true if several attempts would pass on bytes of one version, and if the range need not
   * be compared with the ETag of the object.
   */
  private boolean mayLand(ByteRange range) {
    boolean isWhole = range.lengthBytes() == sizeBytes;
    return etag.isPresent() && !isWhole && range.lengthBytes() >= LANDED_MIN_BYTES;
  }

  private void land(ByteRange range, ByteSink sink) throws IOException {
    ClosableSink closable = new ClosableSink(sink);
    try {
      asOneVersion(
          () -> {
            ReadResult landed = store.read(key, range, etag.orElseThrow(), closable);
            check(landed.meta(), landed.range().lengthBytes(), range);
            return landed;
          });
    } finally {
      closable.close();
    }
  }

  /** Accepts an answer only if it is of the version that is read, and has the whole range. */
  private void check(ObjectMeta meta, long arrivedBytes, ByteRange range) throws IOException {
    if (meta.sizeBytes() < sizeBytes) {
      throw changed(null);
    }
    requirePlanned(meta.sizeBytes());
    pin(meta.etag());
    if (arrivedBytes != range.lengthBytes()) {
      throw new EOFException(
          "a read of s3://%s/%s returned %d bytes instead of the range %s"
              .formatted(store.bucket(), key, arrivedBytes, range));
    }
  }

  private <T> T asOneVersion(Parallel.Work<T> request) throws IOException {
    try {
      return request.run();
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
    if (etag.isPresent() && !Etags.match(etag.get(), seen)) {
      throw changed(null);
    }
    etag = etag.or(() -> Optional.of(seen));
  }

  private ObjectChangedException changed(StoreException cause) {
    return new ObjectChangedException(
        "s3://%s/%s was overwritten while it was read; read it again from the start"
            .formatted(store.bucket(), key),
        cause);
  }
}
