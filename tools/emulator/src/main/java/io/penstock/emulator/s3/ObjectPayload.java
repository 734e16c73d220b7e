/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range.ByteSpan;
import io.penstock.emulator.http.Payload;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * The bytes of an object, fetched piece by piece. The first piece is fetched before the head of the
 * response is sent.
 */
final class ObjectPayload implements Payload {
  private static final int PIECE_BYTES = 4 << 20;

  private final ObjectStore store;
  private final ObjectMeta meta;
  private final ByteSpan span;
  private final byte[] first;

  /**
   * Fetches the first piece.
   *
   * @throws io.penstock.core.store.StoreException when the object has changed since its metadata
   *     was read
   */
  ObjectPayload(ObjectStore store, ObjectMeta meta, ByteSpan span) throws IOException {
    this.store = store;
    this.meta = meta;
    this.span = span;
    this.first = span.isEmpty() ? new byte[0] : piece(span.start());
  }

  @Override
  public long lengthBytes() {
    return span.lengthBytes();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write(first);
    for (long at = span.start() + first.length; at < span.end(); at += PIECE_BYTES) {
      out.write(piece(at));
    }
  }

  private byte[] piece(long at) throws IOException {
    ByteRange range = new ByteRange(at, Math.min(at + PIECE_BYTES, span.end()));
    return store.get(meta.key(), range, Optional.of(meta.etag())).bytes();
  }
}
