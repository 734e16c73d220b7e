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
 * The bytes of a write, readable any number of times: a retry or a hedge opens it anew. The bytes
 * must not change while a request that carries them is under way.
 */
public interface Body {
  long sizeBytes();

  /** A fresh stream over all {@link #sizeBytes()} bytes; the caller closes it. */
  InputStream open() throws IOException;

  static Body empty() {
    return ofBytes(new byte[0]);
  }

  static Body ofBytes(byte[] bytes) {
    return ofBytes(bytes, 0, bytes.length);
  }

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

  /** The first {@code length} bytes of a file that stays until the write is done. */
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
