/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * Converts objects to bytes and back. Spark may be configured with a serializer that cannot handle
 * records, but every serializer can handle bytes.
 */
final class Bytes {
  private Bytes() {}

  static byte[] of(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException("memory takes all that is serializable", e);
    }
    return bytes.toByteArray();
  }

  /** Returns the object from bytes that the same version of this code made with {@link #of}. */
  static <T> T read(byte[] bytes, Class<T> type) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return type.cast(in.readObject());
    } catch (ClassNotFoundException e) {
      throw new IOException("executors and driver run different versions of Penstock", e);
    }
  }
}
