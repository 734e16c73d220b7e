/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import net.jpountz.lz4.LZ4FrameInputStream;

/** The compression formats. They are detected by the first bytes of a file, never by its name. */
public enum Packing {
  PLAIN("plain"),
  GZIP("gzip", 0x1f, 0x8b, 8),
  ZSTD("zstd", 0x28, 0xb5, 0x2f, 0xfd),
  /** The frame format of the lz4 command. */
  LZ4_FRAME("lz4", 0x04, 0x22, 0x4d, 0x18),
  /**
   * The block format of lz4-java, in which Spark writes its event logs. The lz4 command cannot read
   * it.
   */
  LZ4_BLOCK("lz4 blocks", 'L', 'Z', '4', 'B', 'l', 'o', 'c', 'k'),
  /** The block format of snappy-java. */
  SNAPPY("snappy", 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0),
  LZF("lzf", 'Z', 'V');

  /** The number of bytes that {@link #of} needs from the beginning of a file. */
  public static final int HEAD_BYTES = 64;

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // nobody is given it
  private final byte[] magic;

  Packing(String title, int... magic) {
    this.title = title;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  public String title() {
    return title;
  }

  /**
   * Detects the compression format.
   *
   * @param head the first {@link #HEAD_BYTES} bytes or more; the whole file if it is shorter
   */
  public static Packing of(byte[] head) {
    int start = afterSkippable(head);
    for (Packing packing : values()) {
      if (packing != PLAIN && packing.begins(head, start)) {
        return packing;
      }
    }
    // Only the files of parallel zstd begin with skippable frames.
    return start > 0 ? ZSTD : PLAIN;
  }

  private boolean begins(byte[] head, int start) {
    if (head.length < start + magic.length
        || !Arrays.equals(head, start, start + magic.length, magic, 0, magic.length)) {
      return false;
    }
    int next = start + magic.length;
    // The two letters alone would also match a text that begins with them.
    return this != LZF || (next < head.length && (head[next] == 0 || head[next] == 1));
  }

  /**
   * Returns the position after leading skippable frames. Both zstd and lz4 allow such frames, which
   * hold no data, before the first data frame.
   */
  private static int afterSkippable(byte[] head) {
    int at = 0;
    while (at + 8 <= head.length
        && (head[at] & 0xf0) == 0x50
        && head[at + 1] == 0x2a
        && head[at + 2] == 0x4d
        && head[at + 3] == 0x18) {
      long size =
          (head[at + 4] & 0xffL)
              | (head[at + 5] & 0xffL) << 8
              | (head[at + 6] & 0xffL) << 16
              | (head[at + 7] & 0xffL) << 24;
      at = (int) Math.min(at + 8 + size, Integer.MAX_VALUE - 8);
    }
    return at;
  }

  /**
   * Decompresses the source. Throws an {@link IOException} when the data cannot be decompressed.
   */
  InputStream unpack(Source source) throws IOException {
    return switch (this) {
      case PLAIN -> source;
      case GZIP -> new GzipStream(source);
      case ZSTD -> new ZstdStream(source);
      case LZ4_FRAME -> new LZ4FrameInputStream(source);
      case LZ4_BLOCK -> new Lz4BlockStream(source);
      case SNAPPY -> new SnappyStream(source);
      case LZF -> new LzfStream(source);
    };
  }
}
