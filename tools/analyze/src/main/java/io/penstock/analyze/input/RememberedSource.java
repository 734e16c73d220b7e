/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * A small file that was read to its end when its format was told, so that it is not opened a second
 * time. S3 writes access logs as many thousands of them.
 */
public final class RememberedSource implements LogSource {
  private final LogSource file;
  private final byte[] bytes;

  /**
   * @param bytes all bytes of the file, which nobody changes any more
   */
  public RememberedSource(LogSource file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** Returns the file itself. */
  public LogSource file() {
    return file;
  }

  /** Returns true if the last byte ends a line. */
  public boolean endsWithLine() {
    return bytes.length > 0 && bytes[bytes.length - 1] == '\n';
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public String version() {
    return file.version();
  }

  @Override
  public Object identity() {
    return file.identity();
  }

  @Override
  public byte[] read() {
    return bytes;
  }

  @Override
  public InputStream open(long position) {
    int start = (int) Math.min(position, bytes.length);
    return new ByteArrayInputStream(bytes, start, bytes.length - start);
  }
}
