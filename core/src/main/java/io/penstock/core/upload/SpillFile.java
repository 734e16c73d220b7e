/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A temporary file that holds the bytes of a block. */
final class SpillFile extends OutputStream {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

  /** The size of each open file's buffer. It is small, and larger writes bypass the buffer. */
  static final int BUFFER_BYTES = 8 << 10;

  /**
   * The largest single write. The JDK copies each write into off-heap memory. A thread keeps this
   * memory for ever, with the size of the thread's largest write.
   */
  private static final int WRITE_MAX_BYTES = 64 << 10;

  private final Path file;
  private final OutputStream out;
  private long sizeBytes;

  private SpillFile(Path file, OutputStream out) {
    this.file = file;
    this.out = out;
  }

  /** Opens an existing empty file. */
  static SpillFile at(Path file) throws IOException {
    return new SpillFile(file, new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    sizeBytes++;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, WRITE_MAX_BYTES);
      out.write(from, offset + done, count);
      done += count;
    }
    sizeBytes += length;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Writes the buffered bytes. Nothing may be written afterwards. */
  @Override
  public void close() throws IOException {
    out.close();
  }

  Body body() {
    return Body.ofFile(file, sizeBytes);
  }

  void delete() {
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("could not close {}; it is deleted anyway", file, e);
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("could not delete the upload buffer {}: {}", file, e.toString());
    }
  }
}
