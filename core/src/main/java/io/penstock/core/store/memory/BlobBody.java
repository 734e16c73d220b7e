/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.Body;
import io.penstock.core.store.memory.Blobs.Blob;
import java.io.IOException;
import java.io.InputStream;

/** Makes a range of a blob the body of another write. The bytes are read piece by piece. */
final class BlobBody {
  private BlobBody() {}

  static Body of(Blob blob, long offset, long length) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return length;
      }

      @Override
      public InputStream open() {
        return new RangeStream(blob, offset, offset + length);
      }
    };
  }

  private static final class RangeStream extends InputStream {
    private final Blob blob;
    private final long end;
    private long position;

    RangeStream(Blob blob, long start, long end) {
      this.blob = blob;
      this.position = start;
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (position == end) {
        return -1;
      }
      int count = (int) Math.min(length, end - position);
      blob.read(position, into, at, count);
      position += count;
      return count;
    }
  }
}
