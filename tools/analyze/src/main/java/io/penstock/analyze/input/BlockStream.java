/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;

/** Decompresses a format whose blocks can be decoded independently, one block after another. */
abstract class BlockStream extends BulkStream {
  /**
   * The largest block accepted. Real blocks have 32 KiB to 32 MiB; the limit keeps a damaged length
   * from filling the memory.
   */
  static final int MAX_BLOCK_BYTES = 64 << 20;

  final Source source;
  private byte[] packed = {};
  private byte[] block = {};
  private int position;
  private int limit;

  BlockStream(Source source) {
    this.source = source;
  }

  /**
   * Decompresses the next block into {@link #block}.
   *
   * @return the size of the block, which may be 0; negative at the end
   */
  abstract int next() throws IOException;

  /** Returns a buffer for a decompressed block of the given size. */
  final byte[] block(long bytes) throws IOException {
    block = room(block, bytes);
    return block;
  }

  /** Reads the compressed bytes of a block. */
  final byte[] packed(long bytes) throws IOException {
    packed = room(packed, bytes);
    source.readFully(packed, (int) bytes);
    return packed;
  }

  private static byte[] room(byte[] old, long bytes) throws IOException {
    if (bytes < 0 || bytes > MAX_BLOCK_BYTES) {
      throw new IOException("a block says that it has %d bytes".formatted(bytes));
    }
    return old.length >= bytes ? old : new byte[(int) bytes];
  }

  @Override
  public int read(byte[] target, int start, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    while (position == limit) {
      position = 0;
      limit = 0;
      int size = next();
      if (size < 0) {
        return -1;
      }
      limit = size;
    }
    int some = Math.min(count, limit - position);
    System.arraycopy(block, position, target, start, some);
    position += some;
    return some;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
