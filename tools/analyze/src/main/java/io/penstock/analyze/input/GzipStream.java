/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip with any number of members. The JDK's own stream silently ends at a damaged
 * second member.
 */
final class GzipStream extends BulkStream {
  private static final int FLAG_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int DEFLATE = 8;

  private final Source source;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private boolean inMember;

  GzipStream(Source source) {
    this.source = source;
  }

  @Override
  public int read(byte[] target, int start, int count) throws IOException {
    int got = 0;
    while (got == 0 && count > 0) {
      // The checksum is checked only now, so that the bytes before a wrong checksum are returned.
      if (inMember && inflater.finished()) {
        endMember();
      }
      if (!inMember && !nextMember()) {
        return -1;
      }
      got = inflate(target, start, count);
      crc.update(target, start, got);
    }
    return got;
  }

  private int inflate(byte[] target, int start, int count) throws IOException {
    if (inflater.needsInput()) {
      if (!source.fill()) {
        throw new EOFException();
      }
      inflater.setInput(source.buffer, source.position, source.limit - source.position);
    }
    try {
      int got = inflater.inflate(target, start, count);
      source.position = source.limit - inflater.getRemaining();
      if (inflater.needsDictionary()) {
        throw new IOException("it wants a dictionary");
      }
      return got;
    } catch (DataFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private boolean nextMember() throws IOException {
    // Tapes and some disk copies pad the last block with zeros.
    boolean padded = false;
    while (source.fill() && source.buffer[source.position] == 0) {
      source.position++;
      padded = true;
    }
    if (!source.fill()) {
      return false;
    }
    if (one() != 0x1f || one() != 0x8b || one() != DEFLATE) {
      throw new IOException(padded ? "there is more after the zeros" : "no gzip member follows");
    }
    int flags = one();
    skip(6);
    if ((flags & FLAG_EXTRA) != 0) {
      skip(one() | one() << 8);
    }
    for (int flag : new int[] {FLAG_NAME, FLAG_COMMENT}) {
      while ((flags & flag) != 0 && one() != 0) {
        // Skips a text that ends with a zero byte; it is not needed.
      }
    }
    skip((flags & FLAG_CRC) != 0 ? 2 : 0);
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    inMember = false;
    if (number() != crc.getValue()) {
      throw new IOException("the checksum is wrong");
    }
    if (number() != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw new IOException("the length is wrong");
    }
  }

  private long number() throws IOException {
    return one() | one() << 8 | one() << 16 | (long) one() << 24;
  }

  private int one() throws IOException {
    int one = source.read();
    if (one < 0) {
      throw new EOFException();
    }
    return one;
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      one();
    }
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    source.close();
  }
}
