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

/**
 * A block that starts in memory and moves to a temporary file when it grows: most files of a job
 * are small.
 */
final class DiskBlock implements Block {
  private static final Logger LOG = LoggerFactory.getLogger(DiskBlock.class);
  private static final int IN_MEMORY_BYTES = 1 << 20;
  private static final int FILE_BUFFER_BYTES = 256 << 10;

  private final Path directory;
  private final ArrayBlock head = new ArrayBlock();
  private Path file;
  private OutputStream out;
  private long sizeBytes;

  DiskBlock(Path directory) {
    this.directory = directory;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    if (out == null && sizeBytes + length > IN_MEMORY_BYTES) {
      moveToFile();
    }
    if (out == null) {
      head.write(from, offset, length);
    } else {
      out.write(from, offset, length);
    }
    sizeBytes += length;
  }

  private void moveToFile() throws IOException {
    try {
      Files.createDirectories(directory);
      file = Files.createTempFile(directory, "penstock-", ".part");
      out = new BufferedOutputStream(Files.newOutputStream(file), FILE_BUFFER_BYTES);
      try (var in = head.body().open()) {
        in.transferTo(out);
      }
      head.discard();
    } catch (IOException e) {
      throw new IOException(
          "cannot buffer an upload in %s: %s. Set upload.buffer.dir to a directory with space, or upload.buffer=array."
              .formatted(directory, e.getMessage()),
          e);
    }
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public long heapBytes() {
    return out == null ? head.heapBytes() : FILE_BUFFER_BYTES;
  }

  @Override
  public long diskBytes() {
    return file == null ? 0 : sizeBytes;
  }

  @Override
  public Body body() throws IOException {
    if (out == null) {
      return head.body();
    }
    out.close();
    return Body.ofFile(file, sizeBytes);
  }

  @Override
  public void discard() {
    head.discard();
    if (file == null) {
      return;
    }
    try {
      if (out != null) {
        out.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("could not delete the upload buffer {}: {}", file, e.toString());
    }
  }
}
