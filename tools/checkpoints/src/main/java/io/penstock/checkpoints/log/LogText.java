/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text format of Spark's logs: a line {@code vN}, then lines of JSON. */
public record LogText(int version, List<String> lines) {
  /**
   * Splits a file into its version and its lines.
   *
   * @throws IOException with the problem, written as the end of a sentence that starts with the
   *     file
   */
  public static LogText of(byte[] bytes, int newestVersion) throws IOException {
    List<String> lines = text(bytes).lines().toList();
    String head = lines.get(0).strip();
    int version = version(head);
    if (version < 1) {
      throw new IOException("does not start with a version line such as v1");
    }
    if (version > newestVersion) {
      throw new NewerException(
          "has version " + head + ", which is newer than the version that Spark 4.3 writes");
    }
    return new LogText(version, lines.subList(1, lines.size()));
  }

  /** Tells that a file is of a Spark that this program does not know: it may be whole. */
  static final class NewerException extends IOException {
    private static final long serialVersionUID = 1L;

    private NewerException(String message) {
      super(message);
    }
  }

  /** Returns the bytes as text, if they are valid text. */
  static String text(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      throw new IOException("is empty");
    }
    if (allZero(bytes)) {
      throw new IOException("contains only zero bytes, which can happen when the machine crashes");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("is not text", e);
    }
  }

  private static boolean allZero(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  private static int version(String head) {
    return head.startsWith("v")
        ? Numbers.batch(head.substring(1)).filter(n -> n < 1000).orElse(0L).intValue()
        : 0;
  }
}
