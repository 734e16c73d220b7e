/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.core.time.Time;
import io.penstock.emulator.http.Shaping;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;

/** Limits the bytes per second of one connection, separately for each direction. */
final class Bandwidth implements Shaping {
  private static final int SLICE_BYTES = 16 << 10;

  /** A shorter sleep takes this long, too: the JDK rounds up to whole milliseconds. */
  private static final long SHORTEST_SLEEP_NANOS = 1_000_000;

  /**
   * A transfer that is late by less than this makes up for it, since sleeps end late. One that is
   * later was idle, and gets nothing for the time in which it sent nothing.
   */
  private static final long CATCH_UP_NANOS = 20_000_000;

  private final long bytesPerSecond;
  private final Time time;

  Bandwidth(long bytesPerSecond, Time time) {
    this.bytesPerSecond = bytesPerSecond;
    this.time = time;
  }

  /** One direction of the connection. */
  private final class Lane {
    private long freeNanos = time.nowNanos() - CATCH_UP_NANOS - 1;

    void carry(int bytes) throws IOException {
      long now = time.nowNanos();
      boolean isIdle = now - freeNanos > CATCH_UP_NANOS;
      freeNanos = (isIdle ? now : freeNanos) + (long) (bytes * 1e9 / bytesPerSecond);
      if (freeNanos - now < SHORTEST_SLEEP_NANOS) {
        return;
      }
      try {
        time.sleep(Duration.ofNanos(freeNanos - now));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("slowed connection closed").initCause(e);
      }
    }
  }

  @Override
  public InputStream in(InputStream raw) {
    Lane lane = new Lane();
    return new FilterInputStream(raw) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        int count = in.read(into, at, Math.min(length, SLICE_BYTES));
        if (count > 0) {
          lane.carry(count);
        }
        return count;
      }
    };
  }

  @Override
  public OutputStream out(OutputStream raw) {
    Lane lane = new Lane();
    return new FilterOutputStream(raw) {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int at, int length) throws IOException {
        for (int done = 0; done < length; done += SLICE_BYTES) {
          int count = Math.min(SLICE_BYTES, length - done);
          lane.carry(count);
          out.write(bytes, at + done, count);
        }
      }
    };
  }
}
