/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request. If the client expects {@code 100 Continue}, the first read sends it. A
 * handler that refuses the request without reading therefore saves the client the upload.
 */
public final class RequestBody extends InputStream {
  /** The declared length of a body that is sent chunked. */
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

  /** Returns a body that is already there. */
  public static RequestBody of(byte[] bytes) {
    return new RequestBody(new ByteArrayInputStream(bytes), bytes.length, false, () -> {});
  }

  /** Returns the length given by {@code Content-Length}, or {@link #UNKNOWN}. */
  public long declaredBytes() {
    return declaredBytes;
  }

  /** Returns the number of bytes read so far. */
  public long readBytes() {
    return readBytes;
  }

  /** Returns true if the client still waits for {@code 100 Continue}. */
  boolean isWaiting() {
    return waiting;
  }

  /**
   * Returns the largest number of bytes that can still follow, or {@code Long.MAX_VALUE} when the
   * length is not known.
   */
  long leftBytes() {
    if (ended) {
      return 0;
    }
    return declaredBytes == UNKNOWN ? Long.MAX_VALUE : declaredBytes - readBytes;
  }

  /**
   * Reads the whole body and returns it. The body can be read again afterwards. Use only for bodies
   * that are known to be small.
   */
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
