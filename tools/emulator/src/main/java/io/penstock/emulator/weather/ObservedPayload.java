/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.core.time.Time;
import io.penstock.emulator.http.Payload;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Passes a body on, and writes the line of the access log when the body is closed. */
final class ObservedPayload implements Payload {
  private static final int START_BYTES = 1024;

  private final Observed observed;
  private final long plannedBytes;
  private final Time time;
  private final RequestCounts counts;
  private final Optional<AccessLogWriter> log;
  private final ByteArrayOutputStream start = new ByteArrayOutputStream();
  private long sentBytes;

  ObservedPayload(
      Observed observed,
      long plannedBytes,
      Time time,
      RequestCounts counts,
      Optional<AccessLogWriter> log) {
    this.observed = observed;
    this.plannedBytes = plannedBytes;
    this.time = time;
    this.counts = counts;
    this.log = log;
  }

  @Override
  public long lengthBytes() {
    return observed.response().payload().lengthBytes();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    observed.response().payload().writeTo(new Counting(out));
  }

  @Override
  public void close() throws IOException {
    observed.response().payload().close();
    if (plannedBytes == UNKNOWN) {
      counts.addBytesOut(observed.call().operation().apiName(), sentBytes);
    }
    log.ifPresent(
        file ->
            file.append(observed.record(sentBytes, start.toByteArray(), time.nowNanos()).line()));
  }

  private final class Counting extends FilterOutputStream {
    Counting(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int at, int length) throws IOException {
      start.write(bytes, at, Math.min(length, START_BYTES - Math.min(START_BYTES, start.size())));
      out.write(bytes, at, length);
      sentBytes += length;
    }
  }
}
