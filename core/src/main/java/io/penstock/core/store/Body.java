/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bytes that a write sends. They can be read any number of times, because each retry and each
 * hedge opens a new stream. The bytes must not change while a request that carries them is under
 * way.
 */
public interface Body {
  long sizeBytes();

  /** Opens a new stream over all {@link #sizeBytes()} bytes; the caller closes the stream. */
  InputStream open() throws IOException;

  static Body empty() {
    return ofBytes(new byte[0]);
  }

  /** Returns an array as a body. The array is not copied and must not change. */
  static Body ofBytes(byte[] bytes) {
    return ofBytes(bytes, 0, bytes.length);
  }

  /** Returns a part of an array as a body. The array is not copied and must not change. */
  static Body ofBytes(byte[] bytes, int offset, int length) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes, offset, length);
      }
    };
  }

  /**
   * Returns the content of a file. The file must exist, unchanged, until the write is done.
   *
   * @param length the exact size of the file in bytes
   */
  static Body ofFile(Path file, long length) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return length;
      }

      @Override
      public InputStream open() throws IOException {
        return Channels.newInputStream(FileChannel.open(file, StandardOpenOption.READ));
      }
    };
  }
}
