/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * Objects of ours as bytes. Spark may be set to serializers that cannot take records; bytes they
 * all take.
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

  /** Returns what was made by {@link #of}, by the same version of this code. */
  static <T> T read(byte[] bytes, Class<T> type) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return type.cast(in.readObject());
    } catch (ClassNotFoundException e) {
      throw new IOException("executors and driver run different versions of Penstock", e);
    }
  }
}
