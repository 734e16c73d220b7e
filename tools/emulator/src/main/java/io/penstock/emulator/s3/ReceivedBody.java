/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Body;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A received body. A small body is kept in memory, a larger one in a temporary file. */
final class ReceivedBody implements Body, Closeable {
  static final int MEMORY_BYTES = 16 << 20;

  private final byte[] bytes;
  private final Path file;
  private final long sizeBytes;

  private ReceivedBody(byte[] bytes, Path file, long sizeBytes) {
    this.bytes = bytes;
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Reads a body to its end.
   *
   * @param expectedBytes declared length of the body; a longer body goes to a file
   */
  static ReceivedBody receive(InputStream in, long expectedBytes) throws IOException {
    byte[] start = new byte[(int) Math.max(0, Math.min(expectedBytes, MEMORY_BYTES))];
    int count = in.readNBytes(start, 0, start.length);
    int next = in.read();
    if (next < 0) {
      return new ReceivedBody(start, null, count);
    }
    Path file = Files.createTempFile("penstock-emulator-", ".body");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(start, 0, count);
      out.write(next);
      long more = in.transferTo(out);
      return new ReceivedBody(null, file, count + 1 + more);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public InputStream open() throws IOException {
    return file == null
        ? new ByteArrayInputStream(bytes, 0, (int) sizeBytes)
        : Files.newInputStream(file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
