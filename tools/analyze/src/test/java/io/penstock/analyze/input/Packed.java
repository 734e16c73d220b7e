/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.ning.compress.lzf.LZFOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.xerial.snappy.SnappyOutputStream;

/** Packs as the libraries do that write logs. */
final class Packed {
  private Packed() {}

  static byte[] of(Packing packing, byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = stream(packing, bytes)) {
      out.write(text);
    }
    return bytes.toByteArray();
  }

  private static OutputStream stream(Packing packing, OutputStream out) throws IOException {
    return switch (packing) {
      case PLAIN -> out;
      case GZIP -> new GZIPOutputStream(out);
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true);
      case LZ4_FRAME -> new LZ4FrameOutputStream(out, LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB);
      case LZ4_BLOCK -> new LZ4BlockOutputStream(out, 1 << 15);
      case SNAPPY -> new SnappyOutputStream(out, 1 << 15);
      case LZF -> new LZFOutputStream(out);
    };
  }
}
