/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import com.ning.compress.lzf.ChunkDecoder;
import com.ning.compress.lzf.LZFException;
import com.ning.compress.lzf.util.ChunkDecoderFactory;
import java.io.IOException;

/** Decompresses LZF, chunk after chunk. The format has no end mark and no checksum. */
final class LzfStream extends BlockStream {
  private static final int RAW = 0;
  private static final int LZF = 1;

  // The safe decoder is used because the faster one writes past its arrays when the data is
  // damaged.
  private final ChunkDecoder decoder = ChunkDecoderFactory.safeInstance();
  private final byte[] header = new byte[5];

  LzfStream(Source source) {
    super(source);
  }

  @Override
  int next() throws IOException {
    if (!source.fill()) {
      return -1;
    }
    source.readFully(header, header.length);
    if (header[0] != 'Z' || header[1] != 'V' || (header[2] != RAW && header[2] != LZF)) {
      throw new IOException("no chunk follows");
    }
    int packedBytes = (header[3] & 0xff) << 8 | (header[4] & 0xff);
    return header[2] == RAW ? raw(packedBytes) : unpack(packedBytes);
  }

  private int raw(int bytes) throws IOException {
    byte[] packed = packed(bytes);
    System.arraycopy(packed, 0, block(bytes), 0, bytes);
    return bytes;
  }

  private int unpack(int packedBytes) throws IOException {
    source.readFully(header, 2);
    int bytes = (header[0] & 0xff) << 8 | (header[1] & 0xff);
    // The decoder may read a few bytes past the chunk, so it gets a copy of the exact size.
    byte[] packed = java.util.Arrays.copyOf(packed(packedBytes), packedBytes);
    try {
      decoder.decodeChunk(packed, 0, packedBytes, block(bytes), 0, bytes);
    } catch (LZFException | IndexOutOfBoundsException e) {
      throw new IOException("a chunk is damaged", e);
    }
    return bytes;
  }
}
