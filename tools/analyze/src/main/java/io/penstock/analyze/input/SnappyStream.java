/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * Decompresses the block format of snappy-java, including several streams in one file. The format
 * has no end mark and no checksum.
 */
final class SnappyStream extends BlockStream {
  private static final int MAGIC = 0x82534e41;
  private static final int HEADER_BYTES = 16;

  private final byte[] header = new byte[HEADER_BYTES];

  SnappyStream(Source source) {
    super(source);
  }

  @Override
  int next() throws IOException {
    if (!source.fill()) {
      return -1;
    }
    int packedBytes = number();
    if (packedBytes == MAGIC) {
      source.readFully(header, HEADER_BYTES - Integer.BYTES);
      return 0;
    }
    byte[] packed = packed(packedBytes);
    try {
      int bytes = Snappy.uncompressedLength(packed, 0, packedBytes);
      byte[] block = block(bytes);
      if (!Snappy.isValidCompressedBuffer(packed, 0, packedBytes)) {
        throw new IOException("a block is damaged");
      }
      return Snappy.uncompress(packed, 0, packedBytes, block, 0);
    } catch (SnappyError | IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private int number() throws IOException {
    source.readFully(header, Integer.BYTES);
    return ByteBuffer.wrap(header).getInt();
  }
}
