/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.Body;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The place where an {@link InMemoryStore} keeps its bytes. The store itself keeps names, times and
 * rules, and never looks at the bytes.
 */
public interface Blobs {
  /**
   * Copies the body into a new blob.
   *
   * @throws IOException when the body cannot be read or ends before its size
   */
  Blob write(Body body) throws IOException;

  /** Bytes that do not change until they are discarded. */
  interface Blob {
    long sizeBytes();

    /**
     * Copies {@code length} bytes of the blob, starting at {@code offset}, to position {@code at}
     * of {@code into}. The caller must not read past the blob's end.
     */
    void read(long offset, byte[] into, int at, int length) throws IOException;

    /** Frees the bytes. A read that is under way may fail. */
    void discard();
  }

  /** Returns a place that keeps blobs on the heap. */
  static Blobs onHeap() {
    return body -> {
      try (InputStream in = body.open()) {
        byte[] bytes = in.readNBytes(Math.toIntExact(body.sizeBytes()));
        if (bytes.length != body.sizeBytes()) {
          throw new IOException(
              "body ended after %d of %d bytes".formatted(bytes.length, body.sizeBytes()));
        }
        return new HeapBlob(bytes);
      }
    };
  }

  /** Joins the blobs into one, in this order. Discarding the result discards all of them. */
  static Blob concat(List<Blob> blobs) {
    return new JoinedBlob(List.copyOf(blobs));
  }
}
