/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.meta.UserMetadata;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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

  /** Writes all bytes to a stream, in pieces that are not copied if they are in memory. */
  default void writeTo(OutputStream out) throws IOException {
    try (InputStream in = open()) {
      byte[] buffer = new byte[(int) Math.min(sizeBytes() + 1, 64 << 10)];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
      }
    }
  }

  /** Returns what the store keeps with an object of this content. Parts of an object have none. */
  default UserMetadata user() {
    return UserMetadata.NONE;
  }

  /** Returns this content, with which the store keeps the metadata. */
  default Body with(UserMetadata user) {
    Body content = this;
    return new Body() {
      @Override
      public long sizeBytes() {
        return content.sizeBytes();
      }

      @Override
      public UserMetadata user() {
        return user;
      }

      @Override
      public InputStream open() throws IOException {
        return content.open();
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        content.writeTo(out);
      }
    };
  }

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

      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, offset, length);
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
