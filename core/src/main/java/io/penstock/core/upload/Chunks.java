/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.memory.ArrayPool;
import io.penstock.core.store.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Bytes on the heap in a list of arrays. Growing adds an array and copies nothing, and no array is
 * so large that the garbage collector treats it specially. Used by one thread at a time.
 *
 * <p>When the arrays are freed, others use them, while an attempt whose caller no longer waits may
 * still read them. So whoever reads looks afterwards whether they are still its own, and otherwise
 * drops what it has read.
 */
final class Chunks {
  private final ArrayPool pool;
  private final List<byte[]> arrays = new ArrayList<>();
  private long capacityBytes;
  private long sizeBytes;
  private int lastSizeBytes;

  /** The arrays that bodies read; null before the first body, and once they are freed. */
  private volatile byte[][] readable;

  /**
   * @param pool where arrays of its size come from and go to
   */
  Chunks(ArrayPool pool) {
    this.pool = pool;
  }

  /** Adds room for this many bytes. Called when the earlier room is used up. */
  void add(int bytes) {
    arrays.add(bytes == pool.arrayBytes() ? pool.take() : new byte[bytes]);
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
    readable = arrays.toArray(byte[][]::new);
    return new Body() {
      @Override
      public long sizeBytes() {
        return length;
      }

      @Override
      public InputStream open() {
        return new ChunkStream(length);
      }

      /** Writes the arrays themselves: {@code out} must not keep what it gets. */
      @Override
      public void writeTo(OutputStream out) throws IOException {
        long left = length;
        for (int i = 0; left > 0; i++) {
          byte[] array = own()[i];
          int count = (int) Math.min(left, array.length);
          out.write(array, 0, count);
          requireOwn();
          left -= count;
        }
      }
    };
  }

  private byte[][] own() throws IOException {
    byte[][] own = readable;
    if (own == null) {
      throw new IOException("the buffer of this upload has already been released");
    }
    return own;
  }

  /** Fails if what was read before this call may be the bytes of another block. */
  private void requireOwn() throws IOException {
    VarHandle.acquireFence(); // what was read was read before the look
    var unused = own();
  }

  /** Frees the arrays. */
  void clear() {
    readable = null;
    VarHandle.fullFence(); // everybody can see it before somebody else writes into an array
    arrays.forEach(pool::giveBack);
    arrays.clear();
    capacityBytes = 0;
    sizeBytes = 0;
    lastSizeBytes = 0;
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
      requireOwn();
      position += count;
      left -= count;
      return count;
    }

    private byte[] current() throws IOException {
      byte[][] all = own();
      if (position == all[array].length) {
        array++;
        position = 0;
      }
      return all[array];
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, left);
    }
  }
}
