/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.Body;
import io.penstock.core.store.Etags;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A write of bytes that are here: one of two answers is trusted only if its ETag is made of them.
 */
final class SameContent implements Resolution<Sent> {
  private static final int HEAD_MAX = 1_000;

  private final byte[] body;
  private final boolean isChunked;

  /**
   * @param body as it is sent
   * @param isChunked true if it is in the chunks that the SDK signs, or puts before a checksum
   */
  SameContent(byte[] body, boolean isChunked) {
    this.body = body;
    this.isChunked = isChunked;
  }

  @Override
  public boolean isCertain(Sent sent) throws IOException {
    Optional<String> etag = sent.answer().header("ETag");
    Optional<byte[]> content = isChunked ? unchunked(body) : Optional.of(body);
    return etag.isPresent()
        && content.isPresent()
        && etag.get().replace("\"", "").equals(Etags.ofContent(Body.ofBytes(content.get())));
  }

  /**
   * Returns what is in the chunks; empty if they are none. Each has a line that begins with its
   * size in hexadecimal, its bytes, and an end of line; the one of size 0 is the last.
   */
  static Optional<byte[]> unchunked(byte[] chunks) {
    ByteArrayOutputStream content = new ByteArrayOutputStream(chunks.length);
    int at = 0;
    while (true) {
      int end = at;
      while (end < chunks.length && chunks[end] != '\r' && end - at <= HEAD_MAX) {
        end++;
      }
      if (end + 1 >= chunks.length || chunks[end] != '\r' || chunks[end + 1] != '\n') {
        return Optional.empty();
      }
      String head = new String(chunks, at, end - at, StandardCharsets.US_ASCII);
      int size = size(head.split(";", 2)[0]);
      at = end + 2;
      if (size == 0) {
        return Optional.of(content.toByteArray());
      }
      if (size < 0 || size > chunks.length - at - 2 || chunks[at + size] != '\r') {
        return Optional.empty();
      }
      content.write(chunks, at, size);
      at += size + 2;
    }
  }

  private static int size(String hex) {
    try {
      return Integer.parseInt(hex, 16);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
