/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message between an executor and the driver: sections of bytes, each with a name. They are bytes
 * because Spark's RPC makes its class loader before it fetches the jars of {@code --jars}, so
 * neither side could read an answer that uses our own classes. Each section has a version of its
 * own; who does not know a section skips it.
 *
 * @param from the executor's id, or {@code driver}
 * @param sections by name
 */
record Envelope(String from, Map<String, byte[]> sections) {
  private static final int VERSION = 1;

  private static final Versioned HEARTBEAT = new Versioned('H', VERSION, "a heartbeat");

  byte[] toBytes() throws IOException {
    return HEARTBEAT.message(
        out -> {
          out.writeUTF(from);
          out.writeInt(sections.size());
          for (Map.Entry<String, byte[]> section : sections.entrySet()) {
            out.writeUTF(section.getKey());
            out.writeInt(section.getValue().length);
            out.write(section.getValue());
          }
        });
  }

  /**
   * Reads a message.
   *
   * @throws IOException when it is damaged, is none of Penstock, or is of another version
   */
  static Envelope of(Object message) throws IOException {
    if (!(message instanceof byte[] bytes)) {
      throw new IOException("not a message of Penstock: " + message);
    }
    DataInputStream in = HEARTBEAT.open(bytes);
    String from = in.readUTF();
    Map<String, byte[]> sections = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      byte[] section = in.readNBytes(checked(in.readInt(), in.available()));
      sections.put(name, section);
    }
    return new Envelope(from, sections);
  }

  private static int checked(int length, int left) throws IOException {
    if (length < 0 || length > left) {
      throw new IOException(
          "a section of the message claims %d bytes, but only %d bytes are left"
              .formatted(length, left));
    }
    return length;
  }
}
