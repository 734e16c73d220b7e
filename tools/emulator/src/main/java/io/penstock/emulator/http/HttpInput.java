/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads heads and bodies from a connection. Refuses those that are malformed or too large. */
public final class HttpInput {
  // A key of 1,024 bytes is 3 KiB when escaped; a V4 signature in the query adds 2 KiB.
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final int MAX_HEAD_BYTES = 64 << 10;
  private static final int LOOK_AHEAD_BYTES = 64 << 10;
  private static final int MAX_FIELDS = 200;

  private final InputStream in;

  public HttpInput(InputStream in) {
    this.in = new BufferedInputStream(in, 64 << 10);
  }

  /**
   * Returns true if the stream ends within the next few bytes. The bytes read ahead stay readable.
   *
   * @throws SocketTimeoutException when neither data nor the end of the stream arrived in time
   */
  boolean endsSoon() throws IOException {
    byte[] ahead = new byte[LOOK_AHEAD_BYTES];
    in.mark(ahead.length + 1);
    try {
      return in.readNBytes(ahead, 0, ahead.length) < ahead.length;
    } finally {
      in.reset();
    }
  }

  /** The request line and the header fields. */
  record RequestHead(String method, String target, boolean http11, Headers headers) {}

  /** The status line and the header fields. */
  public record ResponseHead(int status, String reason, Headers headers) {}

  /**
   * Reads the head of a request. Returns empty when the peer closed the connection instead of
   * sending another request.
   */
  Optional<RequestHead> readRequestHead() throws IOException {
    String line = readLine(true);
    if (line != null && line.isEmpty()) {
      line = readLine(true); // RFC 9112 2.2: an empty line before the request line is accepted
    }
    if (line == null) {
      return Optional.empty();
    }
    String[] words = line.split(" ", -1);
    if (words.length != 3 || !isToken(words[0]) || !isTarget(words[1])) {
      throw new BadRequest("malformed request line");
    }
    boolean http11 = words[2].equals("HTTP/1.1");
    if (!http11 && !words[2].equals("HTTP/1.0")) {
      throw words[2].startsWith("HTTP/")
          ? new BadRequest(505, "only HTTP/1.1 is spoken here")
          : new BadRequest("malformed request line");
    }
    return Optional.of(new RequestHead(words[0], words[1], http11, readFields()));
  }

  /**
   * Reads the head of a response.
   *
   * @throws EOFException when the connection ended before the first byte
   */
  public ResponseHead readResponseHead() throws IOException {
    String line = readLine(true);
    if (line == null) {
      throw new EOFException("connection closed before an answer");
    }
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new BadRequest("malformed status line");
    }
    int status = Integer.parseInt(line.substring(9, 12));
    return new ResponseHead(status, line.length() > 13 ? line.substring(13) : "", readFields());
  }

  Headers readFields() throws IOException {
    Headers headers = new Headers();
    int total = 0;
    int count = 0;
    for (String line = readLine(false); !line.isEmpty(); line = readLine(false)) {
      total += line.length();
      if (total > MAX_HEAD_BYTES || ++count > MAX_FIELDS) {
        throw new BadRequest(431, "too many header fields");
      }
      int colon = line.indexOf(':');
      if (colon <= 0 || !isToken(line.substring(0, colon))) {
        throw new BadRequest("malformed header field");
      }
      String value = line.substring(colon + 1).strip();
      for (int i = 0; i < value.length(); i++) {
        if (value.charAt(i) < ' ' && value.charAt(i) != '\t') {
          throw new BadRequest("control character in a header field");
        }
      }
      headers.add(line.substring(0, colon), value);
    }
    return headers;
  }

  /**
   * Returns one line without its CRLF or LF.
   *
   * @param mayEnd whether the connection may end before this line; the result is then null
   */
  String readLine(boolean mayEnd) throws IOException {
    StringBuilder line = new StringBuilder(80);
    while (true) {
      int c = in.read();
      if (c < 0) {
        if (mayEnd && line.isEmpty()) {
          return null;
        }
        throw new EOFException("connection closed inside a head");
      }
      if (c == '\n') {
        return line.toString();
      }
      if (c == '\r') {
        if (in.read() != '\n') {
          throw new BadRequest("CR without LF");
        }
        return line.toString();
      }
      if (line.length() == MAX_LINE_BYTES) {
        throw new BadRequest(431, "a line of the head is too long");
      }
      line.append((char) c); // ISO-8859-1, so that a proxy passes every byte on unchanged
    }
  }

  /**
   * Returns a body of this many bytes. Reading throws {@link EOFException} if the stream ends
   * sooner.
   */
  public InputStream fixedBody(long lengthBytes) {
    return new FixedBody(in, lengthBytes);
  }

  public InputStream chunkedBody() {
    return new TransferChunks(this);
  }

  /** Returns all bytes until the peer closes the connection. */
  public InputStream rest() {
    return in;
  }

  int read(byte[] into, int at, int length) throws IOException {
    return in.read(into, at, length);
  }

  private static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 127 || "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isTarget(String text) {
    for (byte c : text.getBytes(StandardCharsets.ISO_8859_1)) {
      if ((c >= 0 && c <= ' ') || c == 127) {
        return false;
      }
    }
    return text.startsWith("/") || text.startsWith("http://") || text.startsWith("https://");
  }
}
