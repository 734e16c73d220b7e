/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.Body;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The place where a store keeps its bytes. The store keeps names, times and rules, and never looks
 * inside.
 */
public interface Blobs {
  /** Takes a copy of the body. */
  Blob write(Body body) throws IOException;

  /** Bytes that do not change until discarded. */
  interface Blob {
    long sizeBytes();

    /** Fills {@code into} from {@code offset}; the caller stays inside the size. */
    void read(long offset, byte[] into, int at, int length) throws IOException;

    /** Frees the bytes; a read under way may fail. */
    void discard();
  }

  /** Blobs on the heap. */
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

  /** The blobs one after another, as one; discarding it discards them. */
  static Blob concat(List<Blob> blobs) {
    return new JoinedBlob(List.copyOf(blobs));
  }
}
