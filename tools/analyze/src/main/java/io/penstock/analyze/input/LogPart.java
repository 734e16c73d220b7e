/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A section of a log, or a whole log that cannot be split.
 *
 * @param start inclusive, in bytes of the stored file
 * @param end exclusive
 */
public record LogPart(LogFile file, long start, long end) {
  /**
   * Splits logs into parts. Logs that cannot be split come first, the largest at the front, so that
   * no thread still has to read a large one when all others have finished.
   *
   * @param partBytes the size of a part; the last part of a file may be smaller
   */
  public static List<LogPart> cut(List<LogFile> files, long partBytes) {
    List<LogPart> all = new ArrayList<>();
    for (LogFile file : files) {
      long size = file.source().sizeBytes();
      long step = file.canBeCut() ? partBytes : Math.max(size, 1);
      for (long start = 0; start == 0 || start < size; start += step) {
        all.add(new LogPart(file, start, Math.min(size, start + step)));
      }
    }
    all.sort(Comparator.comparingLong(LogPart::bytes).reversed());
    return all;
  }

  public long bytes() {
    return end - start;
  }

  /**
   * Opens a reader for the requests of this part.
   *
   * @param statistics counts the records of this part; complete once the reader is closed
   */
  public RequestReader open(ParseStatistics statistics) throws IOException {
    if (file.canBeCut()) {
      LineParser parser = file.format().lines().orElseThrow();
      LineRequests lines = LineRequests.part(file.source(), start, end, parser, statistics);
      return new Numbered(file.number(), lines, null, statistics);
    }
    Unpacked unpacked = file.open();
    Optional<LineParser> lines = file.format().lines();
    RequestReader requests =
        lines.isPresent()
            ? LineRequests.whole(unpacked, lines.get(), statistics)
            : file.format().open(unpacked, statistics);
    return new Numbered(file.number(), requests, unpacked, statistics);
  }

  private record Numbered(
      int file, RequestReader requests, Unpacked unpacked, ParseStatistics statistics)
      implements RequestReader {
    @Override
    public boolean next(RequestRow row) throws IOException {
      boolean found = requests.next(row);
      if (found) {
        row.number(RequestColumn.FILE, file);
      }
      return found;
    }

    @Override
    public void close() throws IOException {
      requests.close();
      if (unpacked != null) {
        unpacked.damage().ifPresent(statistics::damage);
      }
    }
  }
}
