/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Decompresses the block format of lz4-java, including several streams in one file. The reader of
 * lz4-java silently ends when a stream is truncated inside a header.
 */
final class Lz4BlockStream extends BlockStream {
  private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = MAGIC.length + 1 + 3 * Integer.BYTES;
  private static final int RAW = 0x10;
  private static final int LZ4 = 0x20;
  private static final int SEED = 0x9747b28c;
  // lz4-java drops the top four bits because it uses Java's Checksum interface.
  private static final int CHECKSUM_MASK = 0xfffffff;

  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
  private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();
  private final byte[] header = new byte[HEADER_BYTES];
  private boolean ended;

  Lz4BlockStream(Source source) {
    super(source);
  }

  @Override
  int next() throws IOException {
    if (!source.fill()) {
      if (ended) {
        return -1;
      }
      throw new EOFException();
    }
    source.readFully(header, HEADER_BYTES);
    if (!Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("no block follows");
    }
    ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    int method = fields.get(MAGIC.length) & 0xf0;
    int packedBytes = fields.getInt(MAGIC.length + 1);
    int bytes = fields.getInt(MAGIC.length + 1 + Integer.BYTES);
    // A stream ends with an empty block, and another stream may follow it.
    ended = bytes == 0 && packedBytes == 0;
    if (!ended) {
      unpack(method, packed(packedBytes), packedBytes, block(bytes), bytes);
      int checksum = hash.hash(block(bytes), 0, bytes, SEED) & CHECKSUM_MASK;
      if (checksum != (fields.getInt(HEADER_BYTES - Integer.BYTES) & CHECKSUM_MASK)) {
        throw new IOException("the checksum is wrong");
      }
    }
    return bytes;
  }

  private void unpack(int method, byte[] packed, int packedBytes, byte[] block, int bytes)
      throws IOException {
    if (method == RAW && packedBytes == bytes) {
      System.arraycopy(packed, 0, block, 0, bytes);
    } else if (method == LZ4) {
      try {
        if (decompressor.decompress(packed, 0, packedBytes, block, 0, bytes) != bytes) {
          throw new IOException("a block is shorter than it says");
        }
      } catch (LZ4Exception e) {
        throw new IOException(e.getMessage(), e);
      }
    } else {
      throw new IOException("a block is packed in an unknown way");
    }
  }
}
