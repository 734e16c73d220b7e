/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that copies of content may take, those that are sent or those that have come. */
final class Room {
  private final AtomicLong leftBytes;

  Room(long bytes) {
    leftBytes = new AtomicLong(bytes);
  }

  /** Takes so much, if it is there. */
  boolean take(long bytes) {
    if (leftBytes.addAndGet(-bytes) >= 0) {
      return true;
    }
    leftBytes.addAndGet(bytes);
    return false;
  }

  void giveBack(long bytes) {
    leftBytes.addAndGet(bytes);
  }

  /** Returns a stream of bytes that have been taken; they are given back at its end. */
  InputStream stream(byte[] taken) {
    return new Taken(taken);
  }

  private final class Taken extends FilterInputStream {
    private final int size;
    private final AtomicBoolean isGiven = new AtomicBoolean();

    Taken(byte[] taken) {
      super(new ByteArrayInputStream(taken));
      this.size = taken.length;
    }

    @Override
    public int read() throws IOException {
      return ended(super.read());
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      // Without looking at the bounds: Iceberg's tests expect that of the SDK's streams.
      return in.available() == 0 ? ended(-1) : ended(super.read(into, offset, length));
    }

    private int ended(int result) throws IOException {
      if (in.available() == 0) {
        close();
      }
      return result;
    }

    @Override
    public void close() {
      if (isGiven.compareAndSet(false, true)) {
        giveBack(size);
      }
    }
  }
}
