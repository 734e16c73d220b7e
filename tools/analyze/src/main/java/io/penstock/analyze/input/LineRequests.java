/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Passes the lines of a log, or of a part of a log, to a {@link LineParser}. A part contains the
 * lines that begin in it, so adjacent parts contain each line exactly once. A line longer than
 * {@link #MAX_LINE} is counted and skipped, whatever its length.
 */
public final class LineRequests implements RequestReader {
  /**
   * The longest line that is read. S3 limits a key to 1,024 bytes and truncates headers at 8 KiB,
   * and the longest published line has 4 KiB.
   */
  static final int MAX_LINE = 1 << 20;

  private static final int BLOCK = 1 << 17;
  private static final int SMALLEST_BLOCK = 1 << 9;

  private final InputStream in;
  private final LineParser parser;
  private final ParseStatistics statistics;
  private final long limit;

  private byte[] buffer;
  private int next;
  private int end;
  // Position of the buffer's first byte in the whole log.
  private long base;
  private boolean isAtEnd;

  // Start and end of the line that was found last.
  private int lineStart;
  private int lineEnd;
  private boolean isCut;

  /** Reads the lines of a log that is in memory. */
  private LineRequests(byte[] all, LineParser parser, ParseStatistics statistics) {
    this.in = InputStream.nullInputStream();
    this.limit = all.length;
    this.buffer = all;
    this.end = all.length;
    this.isAtEnd = true;
    this.parser = parser;
    this.statistics = statistics;
  }

  private LineRequests(
      InputStream in, long base, long limit, LineParser parser, ParseStatistics statistics) {
    this.in = in;
    this.base = base;
    this.limit = limit;
    // A bucket's logs may be hundreds of thousands of files of a few lines.
    this.buffer = new byte[(int) Math.min(BLOCK, Math.max(SMALLEST_BLOCK, limit - base + 1))];
    this.parser = parser;
    this.statistics = statistics;
  }

  /** Reads all lines of a log. */
  public static LineRequests whole(InputStream in, LineParser parser, ParseStatistics statistics) {
    return new LineRequests(in, 0, Long.MAX_VALUE, parser, statistics);
  }

  /**
   * Reads the lines that begin in a part of an uncompressed log.
   *
   * @param start inclusive
   * @param limit exclusive
   */
  public static LineRequests part(
      LogSource source, long start, long limit, LineParser parser, ParseStatistics statistics)
      throws IOException {
    if (source instanceof RememberedSource remembered && start == 0) {
      return new LineRequests(remembered.read(), parser, statistics);
    }
    if (start == 0) {
      return new LineRequests(source.open(0), 0, limit, parser, statistics);
    }
    // The part is read from one byte earlier. If that byte ends a line, a line begins at start.
    LineRequests part =
        new LineRequests(source.open(start - 1), start - 1, limit, parser, statistics);
    part.passLine();
    return part;
  }

  @Override
  public boolean next(RequestRow row) throws IOException {
    while (base + next < limit) {
      row.clear();
      int lineBreak = parser.parseRegular(buffer, next, end, row);
      if (lineBreak >= 0) {
        statistics.record();
        lineStart = next;
        next = lineBreak + 1;
        return request(row);
      }
      if (!findLine()) {
        break;
      }
      int length = lineEnd - lineStart;
      if (length > MAX_LINE) {
        statistics.record();
        statistics.reject("longer than 1 MiB", base + lineStart, buffer, lineStart, lineEnd);
        if (isCut) {
          passLine();
        }
        continue;
      }
      int textEnd = length > 0 && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
      if (textEnd > lineStart && isRequest(row, textEnd)) {
        return true;
      }
    }
    if (isAtEnd && limit != Long.MAX_VALUE && base + end < limit) {
      statistics.damage("became shorter while it was read");
    }
    return false;
  }

  private boolean isRequest(RequestRow row, int textEnd) {
    statistics.record();
    row.clear();
    LineParser.Verdict verdict = parser.parse(buffer, lineStart, textEnd, row);
    return statistics.isRequest(verdict, row, base + lineStart, buffer, lineStart, textEnd);
  }

  private boolean request(RequestRow row) {
    statistics.request();
    row.number(RequestColumn.POSITION, base + lineStart);
    row.finish();
    return true;
  }

  /** Finds the next line that begins before the limit. A line that is too long is truncated. */
  private boolean findLine() throws IOException {
    if (base + next >= limit) {
      return false;
    }
    int scanned = next;
    while (true) {
      int at = Scan.find(buffer, scanned, end, '\n');
      if (at < end || isAtEnd) {
        isCut = false;
        lineStart = next;
        lineEnd = at;
        next = Math.min(at + 1, end);
        return at < end || at > lineStart;
      }
      if (end - next > MAX_LINE) {
        isCut = true;
        lineStart = next;
        lineEnd = end;
        next = end;
        return true;
      }
      scanned = at - next;
      more();
      scanned += next;
    }
  }

  /**
   * Skips the rest of the current line, but stops at the limit. Without this stop, every part of a
   * file that is a single long line would be read to the end of the file.
   */
  private void passLine() throws IOException {
    while (base + next < limit) {
      next = Scan.find(buffer, next, end, '\n');
      if (next < end) {
        next++;
        return;
      }
      if (isAtEnd) {
        return;
      }
      more();
    }
  }

  /** Moves the remaining bytes to the front of the buffer and reads more bytes after them. */
  private void more() throws IOException {
    int left = end - next;
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, left);
      base += next;
    } else if (left == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    next = 0;
    end = left;
    int read = in.read(buffer, end, buffer.length - end);
    if (read < 0) {
      isAtEnd = true;
    } else {
      end += read;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
