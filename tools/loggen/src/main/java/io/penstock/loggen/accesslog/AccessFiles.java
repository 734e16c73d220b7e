/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.accesslog;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.text.FastGzip;
import io.penstock.loggen.text.LineBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the access log files of one chunk: one file for each window of five minutes, and one file
 * for late lines.
 */
public final class AccessFiles implements Closeable {
  private static final long WINDOW_MILLIS = 300_000;
  private static final long LATE_MILLIS = 40 * 60_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Plan plan;
  private final int chunk;
  private final WrittenCounts tally;
  private final LineBuffer buffer = new LineBuffer();
  private OutputStream out;
  private Path file;
  private long window = -1;

  /** Creates the files of one chunk. */
  public AccessFiles(Path directory, Plan plan, int chunk, WrittenCounts tally) {
    this.directory = directory;
    this.plan = plan;
    this.chunk = chunk;
    this.tally = tally;
  }

  /** Returns the buffer for a line at this time. Times must not decrease. */
  public LineBuffer at(long millis) throws IOException {
    long absolute = Plan.START.toEpochMilli() + millis;
    if (absolute / WINDOW_MILLIS != window) {
      window = absolute / WINDOW_MILLIS;
      open((window + 1) * WINDOW_MILLIS);
    }
    buffer.flushWhenFull(out);
    return buffer;
  }

  /** Opens the file for lines that were delivered much later. */
  public void late() throws IOException {
    open((window + 1) * WINDOW_MILLIS + LATE_MILLIS);
  }

  /** Returns the buffer with room for another line. */
  public LineBuffer more() throws IOException {
    buffer.flushWhenFull(out);
    return buffer;
  }

  /** Opens a file whose name has the form that S3 uses: its delivery time and a unique part. */
  private void open(long deliveredMillis) throws IOException {
    closeFile();
    long bits = Mix.of(plan.options().seed(), Purpose.FILE_NAME, (deliveredMillis << 20) + chunk);
    Instant delivered = Instant.ofEpochMilli(deliveredMillis).plusSeconds(5 + (bits & 127));
    String name = TIME.format(delivered) + "-%016X".formatted(bits);
    file = directory.resolve(name + (plan.options().isGzip() ? ".gz" : ""));
    OutputStream stream = Files.newOutputStream(file);
    out = plan.options().isGzip() ? new FastGzip(stream) : stream;
    tally.accessFiles++;
  }

  private void closeFile() throws IOException {
    if (out != null) {
      buffer.flush(out);
      out.close();
      out = null;
      tally.accessBytes += Files.size(file);
    }
  }

  /** Removes the line end of the last line, which can be missing in real logs. */
  public void dropFinalNewline() {
    buffer.dropLast();
    tally.hasNoFinalNewline = true;
  }

  @Override
  public void close() throws IOException {
    closeFile();
  }
}
