/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.store.Body;
import io.penstock.core.store.meta.UserMetadata;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Keeps an abandoned attempt from reading a body after its owner has taken it back. Once the gate
 * is shut, no read begins and none is in progress.
 */
public final class BodyGate {
  private boolean shut;

  /** Returns the body, to be read only while the gate is open. */
  public Body behind(Body body) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return body.sizeBytes();
      }

      @Override
      public UserMetadata user() {
        return body.user();
      }

      @Override
      public InputStream open() throws IOException {
        synchronized (BodyGate.this) {
          refuseWhenShut();
          return new GatedStream(body.open());
        }
      }
    };
  }

  /** Waits for a read in progress, and lets no other one begin. */
  public synchronized void shut() {
    shut = true;
  }

  private void refuseWhenShut() throws IOException {
    if (shut) {
      throw new IOException("another attempt has already ended this request");
    }
  }

  private final class GatedStream extends FilterInputStream {
    GatedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      synchronized (BodyGate.this) {
        refuseWhenShut();
        return in.read();
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      synchronized (BodyGate.this) {
        refuseWhenShut();
        return in.read(into, offset, length);
      }
    }

    @Override
    public long skip(long bytes) throws IOException {
      synchronized (BodyGate.this) {
        refuseWhenShut();
        return in.skip(bytes);
      }
    }

    @Override
    public int available() throws IOException {
      synchronized (BodyGate.this) {
        refuseWhenShut();
        return in.available();
      }
    }

    /** Returns false: to replay the body, the attempt must open it again. */
    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
