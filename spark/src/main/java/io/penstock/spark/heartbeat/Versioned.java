/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The head of each message between executors and the driver, and of each section of one: a kind and
 * a version, a byte each.
 *
 * @param kind a letter
 * @param what the messages of this kind, for errors, such as {@code "a message about metrics"}
 */
public record Versioned(int kind, int version, String what) {
  /** The content of a message. */
  @FunctionalInterface
  public interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  /** Returns a message with this head. */
  public byte[] message(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(kind);
    out.writeByte(version);
    content.write(out);
    return bytes.toByteArray();
  }

  /**
   * Returns the content of a message.
   *
   * @throws IOException when the message is of another kind, or of another version of Penstock
   */
  public DataInputStream open(byte[] message) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
    int foundKind = in.readUnsignedByte();
    int foundVersion = in.readUnsignedByte();
    if (foundKind != kind || foundVersion != version) {
      throw new IOException(
          ("received a message of type %d, version %d, but expected %s, version %d; driver and"
                  + " executors need the same penstock-spark.jar")
              .formatted(foundKind, foundVersion, what, version));
    }
    return in;
  }
}
