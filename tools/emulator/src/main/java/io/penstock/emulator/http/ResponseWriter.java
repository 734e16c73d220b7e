/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Writes one response to a buffered stream. The caller flushes the stream. */
final class ResponseWriter {
  private static final Set<String> OURS =
      Set.of("content-length", "transfer-encoding", "connection", "keep-alive");

  private final OutputStream out;
  private final boolean http11;
  private final boolean keeps;

  ResponseWriter(OutputStream out, boolean http11, boolean keeps) {
    this.out = out;
    this.http11 = http11;
    this.keeps = keeps;
  }

  void write(HttpResponse response, boolean toHead) throws IOException {
    boolean bodiless = response.status() == 204 || response.status() == 304;
    long length = response.payload().lengthBytes();
    out.write(head(response, bodiless, length).getBytes(StandardCharsets.ISO_8859_1));
    if (!toHead && !bodiless) {
      if (length == Payload.UNKNOWN) {
        writeUnknown(response);
      } else {
        writeKnown(response, length);
      }
    }
  }

  private String head(HttpResponse response, boolean bodiless, long length) {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(response.status()).append(' ');
    head.append(Reasons.of(response.status())).append("\r\n");
    for (Headers.Field field : response.headers().fields()) {
      if (!OURS.contains(field.name().toLowerCase(Locale.ROOT))) {
        append(head, field.name(), field.value());
      }
    }
    if (length != Payload.UNKNOWN && !bodiless) {
      String told = response.headers().first("Content-Length").orElse(Long.toString(length));
      append(head, "Content-Length", length == 0 ? told : Long.toString(length));
    } else if (!bodiless && http11) {
      append(head, "Transfer-Encoding", "chunked");
    }
    if (!keeps) {
      append(head, "Connection", "close");
    }
    return head.append("\r\n").toString();
  }

  private static void append(StringBuilder head, String name, String value) {
    head.append(name).append(": ");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      head.append(c == '\r' || c == '\n' ? ' ' : c); // prevents header injection
    }
    head.append("\r\n");
  }

  private void writeKnown(HttpResponse response, long length) throws IOException {
    boolean whole = response.delivery() == HttpResponse.Delivery.WHOLE;
    Counted counted = new Counted(out, whole ? length : length / 2);
    try {
      response.payload().writeTo(counted);
    } catch (Full e) {
      if (whole) {
        throw new IOException("payload is longer than the %d bytes it told".formatted(length), e);
      }
    }
    if (whole && counted.leftBytes > 0) {
      throw new IOException("payload ended %d bytes early".formatted(counted.leftBytes));
    }
  }

  private void writeUnknown(HttpResponse response) throws IOException {
    if (!http11) {
      response.payload().writeTo(out);
      return;
    }
    response.payload().writeTo(new Chunks(out));
    if (response.delivery() == HttpResponse.Delivery.WHOLE) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** Signals that the stream has taken all the bytes that it may. */
  private static final class Full extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Counted extends FilterOutputStream {
    long leftBytes;

    Counted(OutputStream out, long leftBytes) {
      super(out);
      this.leftBytes = leftBytes;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int at, int length) throws IOException {
      int count = (int) Math.min(length, leftBytes);
      out.write(bytes, at, count);
      leftBytes -= count;
      if (count < length) {
        throw new Full();
      }
    }
  }

  private static final class Chunks extends FilterOutputStream {
    Chunks(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int at, int length) throws IOException {
      if (length > 0) {
        out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.write(bytes, at, length);
        out.write('\r');
        out.write('\n');
      }
    }
  }
}
