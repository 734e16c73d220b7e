/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decompresses zstd, frame after frame. Spark begins a new frame at every flush, and the library's
 * own stream silently ends when any frame but the first is truncated.
 */
final class ZstdStream extends BlockStream {
  private static final int BUFFER_BYTES = 1 << 17;

  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private boolean inFrame;

  ZstdStream(Source source) {
    super(source);
  }

  @Override
  int next() throws IOException {
    // Output that remains inside the library is returned before more input is read.
    boolean wasFull = !out.hasRemaining();
    if (!in.hasRemaining() && !wasFull && !fill()) {
      if (inFrame) {
        throw new EOFException();
      }
      return -1;
    }
    out.clear();
    boolean tookNothing = !in.hasRemaining();
    boolean isFrameEnd = context.decompressDirectByteBufferStream(out, in);
    inFrame = !isFrameEnd && !(tookNothing && !inFrame);
    int bytes = out.position();
    out.flip().get(block(bytes), 0, bytes);
    out.limit(out.capacity()).position(bytes);
    return bytes;
  }

  private boolean fill() throws IOException {
    if (!source.fill()) {
      return false;
    }
    in.clear();
    int some = Math.min(in.remaining(), source.limit - source.position);
    in.put(source.buffer, source.position, some).flip();
    source.position += some;
    return true;
  }

  @Override
  public void close() throws IOException {
    context.close();
    super.close();
  }
}
