/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.FieldScanner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads events one after another from {@code {"Records":[…]}}, an array, lines, or a concatenation
 * of these. Only one event is kept in memory, whatever the size of the file.
 */
final class TrailReader implements RequestReader {
  /** The largest event that is read. CloudTrail's own limit is 256 KiB, or 1 MiB if configured. */
  static final int MAX_EVENT_BYTES = 4 << 20;

  private static final int BUFFER_BYTES = 1 << 20;
  private static final byte[] RECORDS = "\"Records\"".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] FIRST_NAME = "\"eventVersion\"".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final ParseStatistics statistics;
  private final FieldScanner event = new FieldScanner(TrailEvent.TREE);
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private long bufferStart;
  private boolean ended;
  private int triesAtEnd = 16;

  TrailReader(InputStream in, ParseStatistics statistics) {
    this.in = in;
    this.statistics = statistics;
  }

  @Override
  public boolean next(RequestRow row) throws IOException {
    while (toEvent()) {
      int end = event.scan(buffer, position, limit);
      if (end == FieldScanner.SHORT && more()) {
        continue;
      }
      statistics.record();
      if (end < 0) {
        broken(end);
      } else if (read(row, end)) {
        return true;
      }
    }
    return false;
  }

  private boolean read(RequestRow row, int end) {
    row.clear();
    Verdict verdict = EventReader.read(event, row);
    int start = position;
    position = end;
    return statistics.isRequest(verdict, row, bufferStart + start, buffer, start, end);
  }

  /** Moves to the opening brace of the next event, and counts unexpected text before it. */
  private boolean toEvent() throws IOException {
    while (position < limit || more()) {
      if (buffer[position] == '{') {
        int inside = afterRecords();
        if (inside < 0) {
          return true;
        }
        position += inside;
      } else if (isBetween(buffer[position])) {
        position++;
      } else {
        stray();
      }
    }
    return false;
  }

  /**
   * Returns true if the byte may stand between events. Concatenated files also have the ends of
   * earlier envelopes there.
   */
  private static boolean isBetween(byte one) {
    return (one <= ' ' && one >= 0) || one == '[' || one == ']' || one == '}' || one == ',';
  }

  private void stray() {
    int start = position;
    while (position < limit && buffer[position] != '{' && !isBetween(buffer[position])) {
      position++;
    }
    if (!isByteOrderMark(start)) {
      statistics.record();
      statistics.reject("it is not JSON", bufferStart + start, buffer, start, position);
    }
  }

  /** Returns true for a byte order mark, EF BB BF, at the very beginning of the file. */
  private boolean isByteOrderMark(int start) {
    for (int i = start; i < position; i++) {
      long at = bufferStart + i;
      if (at >= BYTE_ORDER_MARK.length || buffer[i] != BYTE_ORDER_MARK[(int) at]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the distance from the brace here to the first event, if the brace opens the list of
   * records; otherwise -1.
   */
  private int afterRecords() throws IOException {
    int at = afterSpace(1);
    for (byte letter : RECORDS) {
      if (!has(at) || buffer[position + at] != letter) {
        return -1;
      }
      at++;
    }
    at = afterSpace(at);
    return has(at) && buffer[position + at] == ':' ? at + 1 : -1;
  }

  private int afterSpace(int from) throws IOException {
    int at = from;
    while (has(at) && buffer[position + at] <= ' ' && buffer[position + at] >= 0) {
      at++;
    }
    return at;
  }

  private boolean has(int offset) throws IOException {
    while (position + offset >= limit) {
      if (!more()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Skips an event that cannot be read, and moves to the likely start of the next one. No byte is
   * examined more than a few times, whatever the input.
   */
  private void broken(int problem) throws IOException {
    long start = bufferStart + position;
    int from;
    String reason;
    if (problem == FieldScanner.BAD) {
      reason = "it is not JSON";
      from = Math.max(event.position(), position + 1);
    } else if (ended) {
      reason = "it is cut off at the end of the file";
      // A missing quote makes an event appear to continue to the end of the file. A few such events
      // are tolerated.
      from = triesAtEnd-- > 0 ? position + 1 : limit;
    } else {
      reason = "it is longer than 4 MiB";
      from = limit;
    }
    statistics.reject(reason, start, buffer, position, limit);
    position = from;
    boolean found = toLikelyEvent();
    while (!found && more()) {
      found = toLikelyEvent();
    }
    // The rest belongs to the damaged event.
    position = found ? position : limit;
  }

  /** Moves to a brace that begins a line or is followed by the name that events begin with. */
  private boolean toLikelyEvent() {
    for (int i = position; i < limit; i++) {
      if (buffer[i] == '{' && (isLineStart(i) || isFirstName(i + 1))) {
        position = i;
        return true;
      }
    }
    // The last bytes may be the beginning of a name that the next bytes complete.
    position = Math.max(position, limit - FIRST_NAME.length);
    return false;
  }

  private boolean isLineStart(int at) {
    return at > 0 && buffer[at - 1] == '\n';
  }

  private boolean isFirstName(int at) {
    return Scan.startsWith(buffer, at, limit, FIRST_NAME);
  }

  /**
   * Reads more bytes. Returns false at the end of the file, or when an event exceeds the largest
   * size.
   */
  private boolean more() throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      bufferStart += position;
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      if (limit >= MAX_EVENT_BYTES) {
        return false;
      }
      buffer = Arrays.copyOf(buffer, limit * 2);
    }
    int count = ended ? -1 : in.readNBytes(buffer, limit, buffer.length - limit);
    if (count <= 0) {
      ended = true;
      return false;
    }
    limit += count;
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
