/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.cloudtrail;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.JobIdentity;
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
 * Writes CloudTrail's files of one chunk. Each file is one gzipped JSON object with some thousand
 * events.
 */
public final class TrailFiles implements Closeable {
  private static final int EVENTS = 5_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmm'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy/MM/dd", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final long seed;
  private final int chunk;
  private final WrittenCounts tally;
  private final LineBuffer buffer = new LineBuffer();
  private OutputStream out;
  private Path file;
  private int events;

  /** Creates the files of one chunk. */
  public TrailFiles(Path directory, long seed, int chunk, WrittenCounts tally) {
    this.directory = directory;
    this.seed = seed;
    this.chunk = chunk;
    this.tally = tally;
  }

  /** Returns the buffer for an event at this time. */
  public LineBuffer at(long millis) throws IOException {
    if (out == null || events == EVENTS) {
      close();
      open(Plan.START.plusMillis(millis));
    } else {
      buffer.put(',');
    }
    events++;
    tally.events++;
    buffer.flushWhenFull(out);
    return buffer;
  }

  private void open(Instant first) throws IOException {
    Path folder =
        directory
            .resolve("AWSLogs")
            .resolve(JobIdentity.ACCOUNT)
            .resolve("CloudTrail")
            .resolve(JobIdentity.REGION)
            .resolve(DAY.format(first));
    Files.createDirectories(folder);
    String unique =
        "%016X".formatted(Mix.of(seed, Purpose.FILE_NAME, -1 - ((tally.trailFiles << 20) + chunk)));
    file =
        folder.resolve(
            "%s_CloudTrail_%s_%s_%s.json.gz"
                .formatted(
                    JobIdentity.ACCOUNT,
                    JobIdentity.REGION,
                    TIME.format(first.plusSeconds(300)),
                    unique));
    out = new FastGzip(Files.newOutputStream(file));
    buffer.put("{\"Records\":[");
    events = 0;
    tally.trailFiles++;
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      buffer.put("]}");
      buffer.flush(out);
      out.close();
      out = null;
      tally.trailBytes += Files.size(file);
    }
  }
}
