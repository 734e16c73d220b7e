/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request. A client that expects {@code 100 Continue} gets it at the first read, so a
 * handler that refuses without reading spares it the upload.
 */
public final class RequestBody extends InputStream {
  /** A declared length of a chunked body. */
  public static final long UNKNOWN = -1;

  private InputStream in;
  private final long declaredBytes;
  private final Continue askForIt;
  private boolean waiting;
  private boolean ended;
  private long readBytes;

  /** Sends {@code 100 Continue}. */
  interface Continue {
    void send() throws IOException;
  }

  RequestBody(InputStream in, long declaredBytes, boolean expectsContinue, Continue askForIt) {
    this.in = in;
    this.declaredBytes = declaredBytes;
    this.askForIt = askForIt;
    this.waiting = expectsContinue && declaredBytes != 0;
    this.ended = declaredBytes == 0;
  }

  /** Returns it as in {@code Content-Length}, or {@link #UNKNOWN}. */
  public long declaredBytes() {
    return declaredBytes;
  }

  /** So far. */
  public long readBytes() {
    return readBytes;
  }

  /** Returns true if the client still waits for {@code 100 Continue}. */
  boolean isWaiting() {
    return waiting;
  }

  /** At most so many bytes are still to come; {@code Long.MAX_VALUE} when nobody knows. */
  long leftBytes() {
    if (ended) {
      return 0;
    }
    return declaredBytes == UNKNOWN ? Long.MAX_VALUE : declaredBytes - readBytes;
  }

  /** The whole body, which can still be read after it. For bodies that are known to be small. */
  public byte[] keep() throws IOException {
    byte[] all = readAllBytes();
    in = new ByteArrayInputStream(all);
    readBytes = 0;
    ended = all.length == 0;
    return all;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    if (ended || length == 0) {
      return ended ? -1 : 0;
    }
    if (waiting) {
      waiting = false;
      askForIt.send();
    }
    int count = in.read(into, at, length);
    if (count < 0) {
      ended = true;
    } else {
      readBytes += count;
      ended = readBytes == declaredBytes;
    }
    return count;
  }
}
