/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Bytes on the heap in a list of arrays. Growing adds an array and copies nothing, and no array is
 * so large that the garbage collector treats it specially. Used by one thread at a time.
 */
final class Chunks {
  private final List<byte[]> arrays = new ArrayList<>();
  private long capacityBytes;
  private long sizeBytes;
  private int lastSizeBytes;
  private boolean cleared;

  /** Adds room for this many bytes. Called when the earlier room is used up. */
  void add(int bytes) {
    arrays.add(new byte[bytes]);
    capacityBytes += bytes;
    lastSizeBytes = 0;
  }

  /** Appends as many bytes as fit into the free room, and returns their number. */
  int write(byte[] from, int offset, int length) {
    int count = (int) Math.min(length, capacityBytes - sizeBytes);
    if (count > 0) {
      System.arraycopy(from, offset, arrays.get(arrays.size() - 1), lastSizeBytes, count);
      lastSizeBytes += count;
      sizeBytes += count;
    }
    return count;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  void writeTo(OutputStream out) throws IOException {
    write(arrays, sizeBytes, out);
  }

  private static void write(List<byte[]> arrays, long sizeBytes, OutputStream out)
      throws IOException {
    long left = sizeBytes;
    for (byte[] array : arrays) {
      int count = (int) Math.min(left, array.length);
      out.write(array, 0, count);
      left -= count;
    }
  }

  /**
   * Returns the bytes written so far as a body. The body does not keep the bytes alive: after
   * {@link #clear} no attempt can read it any more, not even an attempt whose caller no longer
   * waits.
   */
  Body body() {
    long length = sizeBytes;
    return new Body() {
      @Override
      public long sizeBytes() {
        return length;
      }

      @Override
      public InputStream open() {
        return new ChunkStream(length);
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        List<byte[]> whole = List.copyOf(arrays);
        if (cleared) {
          throw givenBack();
        }
        Chunks.write(whole, length, out);
      }
    };
  }

  private static IOException givenBack() {
    return new IOException("the buffer of this upload was given back");
  }

  /** Frees the arrays. */
  void clear() {
    arrays.clear();
    capacityBytes = 0;
    sizeBytes = 0;
    lastSizeBytes = 0;
    cleared = true;
  }

  private final class ChunkStream extends InputStream {
    private long left;
    private int array;
    private int position;

    ChunkStream(long length) {
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, into.length);
      if (length == 0) {
        return 0;
      }
      if (left == 0) {
        return -1;
      }
      byte[] from = current();
      int count = (int) Math.min(Math.min(length, left), from.length - position);
      System.arraycopy(from, position, into, offset, count);
      position += count;
      left -= count;
      return count;
    }

    private byte[] current() throws IOException {
      if (cleared) {
        throw givenBack();
      }
      byte[] from = arrays.get(array);
      if (position == from.length) {
        array++;
        position = 0;
        from = arrays.get(array);
      }
      return from;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, left);
    }
  }
}
