/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.audit.AuditReferer;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines of the form that nearly all lines have: one space between fields, no quote inside a
 * quoted field, and a call of {@link S3Api}. It finds the end of the line on its way, so each byte
 * is looked at once. Of any other line it says so, and {@link AccessLogParser} reads it; that
 * parser reads every line that this one reads in the same way, which the tests check.
 *
 * <p>It remembers the last line's time and requester, so it is for one thread.
 */
final class RegularLine {
  /** Says that the line has another form, or that its end is not among the bytes. */
  static final int OTHER = -1;

  private static final long MICROS_PER_MILLI = 1_000;
  private static final int MAX_DIGITS = 12;
  private static final int OPERATION_PREFIX = "REST.".length();

  // The bytes after an access log's "REST." tell all calls apart, together with the length.
  private static final S3Api[] APIS =
      Arrays.stream(S3Api.values()).filter(api -> api != S3Api.WAIT).toArray(S3Api[]::new);
  private static final byte[][] NAMES = new byte[APIS.length][];
  private static final long[] WORDS = new long[APIS.length];

  static {
    for (int i = 0; i < APIS.length; i++) {
      NAMES[i] = APIS[i].logName().getBytes(StandardCharsets.US_ASCII);
      WORDS[i] = word(NAMES[i], 0, NAMES[i].length);
    }
  }

  private static final long SOURCE_HASH =
      RequestRow.hashOf(AccessLog.SOURCE, 0, AccessLog.SOURCE.length);

  private final AuditReferer audit = new AuditReferer();
  private byte[] text;
  private int limit;
  // The end of the part that was read last; the next one begins behind the space after it.
  private int end;
  private long value;

  private long firstOfTime;
  private long secondOfTime;
  private long thirdOfTime;
  private long micros;
  private byte[] requester = {};
  private long requesterHash;
  private int roleLength;

  private static long word(byte[] name, int start, int end) {
    return Scan.word(name, start + OPERATION_PREFIX) + end - start;
  }

  /**
   * Parses a line.
   *
   * @param bytes holds the line from start, and what follows it, to until exclusive
   * @param row an empty row, of which nothing is used if the line has another form
   * @return the position of the line break, or {@link #OTHER}
   */
  int parse(byte[] bytes, int start, int until, RequestRow row) {
    text = bytes;
    limit = until;
    end = start - 1;
    int owner = token();
    int bucket = owner < 0 ? OTHER : token();
    if (bucket < 0) {
      return OTHER;
    }
    set(row, RequestColumn.BUCKET, bucket);
    if (!time()) {
      return OTHER;
    }
    row.number(RequestColumn.TS_START, micros);
    return row.has(RequestColumn.TS_START) ? who(row) : OTHER;
  }

  private int who(RequestRow row) {
    int ip = token();
    if (ip < 0) {
      return OTHER;
    }
    set(row, RequestColumn.CLIENT_IP, ip);
    int who = token();
    if (who < 0) {
      return OTHER;
    }
    requester(who, row);
    int id = token();
    if (id < 0) {
      return OTHER;
    }
    set(row, RequestColumn.REQ_ID, id);
    int operation = token();
    S3Api api = operation < 0 ? null : api(operation);
    if (api == null) {
      return OTHER;
    }
    row.api(api);
    int key = token();
    if (key < 0) {
      return OTHER;
    }
    return request(isDash(key) ? OTHER : key, row, api);
  }

  private int request(int key, RequestRow row, S3Api api) {
    int keyEnd = end;
    int start = end + 2;
    if (start >= limit || text[start - 1] != '"') {
      return OTHER;
    }
    int quote = quote(start);
    // The status follows: a space, three digits and a space.
    if (quote < 0
        || quote + 6 > limit
        || text[quote + 1] != ' '
        || !Fields.isDigit(text[quote + 2])
        || !Fields.isDigit(text[quote + 3])
        || !Fields.isDigit(text[quote + 4])
        || text[quote + 5] != ' ') {
      return OTHER;
    }
    if (key != OTHER) {
      LoggedKey.read(text, key, keyEnd, start, quote, row);
    }
    RequestLine.read(text, start, quote, row);
    row.number(
        RequestColumn.STATUS,
        (text[quote + 2] - '0') * 100 + (text[quote + 3] - '0') * 10 + (text[quote + 4] - '0'));
    end = quote + 5;
    int error = token();
    if (error < 0) {
      return OTHER;
    }
    set(row, RequestColumn.ERR, error);
    if (!measure(row, RequestColumn.BYTES_OUT, 1)
        || !measure(row, RequestColumn.OBJ_SIZE, 1)
        || !measure(row, RequestColumn.TOTAL_US, MICROS_PER_MILLI)
        || !measure(row, RequestColumn.TTFB_US, MICROS_PER_MILLI)) {
      return OTHER;
    }
    if ((api == S3Api.UPLOAD_PART || api == S3Api.PUT_OBJECT) && row.has(RequestColumn.OBJ_SIZE)) {
      row.number(RequestColumn.BYTES_IN, row.number(RequestColumn.OBJ_SIZE));
    }
    row.text(RequestColumn.SOURCE, AccessLog.SOURCE, 0, AccessLog.SOURCE.length, SOURCE_HASH);
    return client(row);
  }

  private int client(RequestRow row) {
    int referer = quoted();
    if (referer < 0 || end + 1 >= limit || (text[end + 1] != '"' && text[end + 1] != '-')) {
      return OTHER;
    }
    if (text[referer - 1] == '"' && !isDashAt(referer, end - 1)) {
      audit.decode(text, referer, end - 1, row);
    }
    int agent = quoted();
    if (agent < 0) {
      return OTHER;
    }
    if (text[agent - 1] == '"' && !isDashAt(agent, end - 1)) {
      row.text(RequestColumn.USER_AGENT, text, agent, end - 1);
    }
    int lineBreak = Scan.findQuoteOrLineFeed(text, end, limit);
    if (lineBreak == limit || text[lineBreak] != '\n') {
      return OTHER;
    }
    byte last = text[lineBreak - 1];
    if (last == '\r' || last == ' ') {
      return OTHER;
    }
    if (Fields.isDigit(last)) {
      int region = Scan.findLast(text, end, lineBreak, ' ') + 1;
      if (Fields.looksLikeRegion(text, region, lineBreak)
          && SourceRegion.isAnother(text, end, region, text, region, lineBreak)) {
        row.text(RequestColumn.SOURCE_REGION, text, region, lineBreak);
      }
    }
    return lineBreak;
  }

  /** Moves to the next field; returns its start, or {@link #OTHER} if no space ends it. */
  private int token() {
    int start = end + 1;
    end = Scan.findBlank(text, start, limit);
    return end > start && end < limit && text[end] == ' ' ? start : OTHER;
  }

  /**
   * Moves to the next field, quoted or a bare dash, with a space after it. Returns the position
   * after its opening quote, or that of the byte after the dash.
   */
  private int quoted() {
    int start = end + 2;
    if (start >= limit) {
      return OTHER;
    }
    if (text[start - 1] == '-' && text[start] == ' ') {
      end = start;
      return start;
    }
    int quote = text[start - 1] == '"' ? quote(start) : OTHER;
    if (quote < 0 || quote + 1 >= limit || text[quote + 1] != ' ') {
      return OTHER;
    }
    end = quote + 1;
    return start;
  }

  /** Returns the position of the next quote on this line, or {@link #OTHER}. */
  private int quote(int start) {
    int at = Scan.findQuoteOrLineFeed(text, start, limit);
    return at < limit && text[at] == '"' ? at : OTHER;
  }

  private boolean time() {
    int start = end + 1;
    if (limit - start <= LogTime.LENGTH || text[start + LogTime.LENGTH] != ' ') {
      return false;
    }
    end = start + LogTime.LENGTH;
    long first = Scan.word(text, start);
    long second = Scan.word(text, start + Long.BYTES);
    long third = Scan.word(text, start + 2 * Long.BYTES);
    // What follows is the end of the zone, whose minutes are looked at too.
    boolean isSame = first == firstOfTime && second == secondOfTime && third == thirdOfTime;
    if (isSame && text[start + 24] == '0' && text[start + 25] == '0' && text[start + 26] == '0') {
      return text[start + 27] == ']';
    }
    micros = LogTime.micros(text, start, limit);
    if (micros == LogTime.UNREADABLE) {
      firstOfTime = 0;
      return false;
    }
    boolean isWholeHour = text[start + 24] == '0' && text[start + 25] == '0';
    firstOfTime = isWholeHour && text[start + 26] == '0' ? first : 0;
    secondOfTime = second;
    thirdOfTime = third;
    return true;
  }

  private void requester(int start, RequestRow row) {
    if (!Arrays.equals(requester, 0, requester.length, text, start, end)) {
      requester = Arrays.copyOfRange(text, start, end);
      requesterHash = RequestRow.hashOf(requester, 0, requester.length);
      roleLength = AccessLogParser.roleLength(requester, 0, requester.length);
    }
    if (!isDash(start)) {
      row.text(RequestColumn.REQUESTER, text, start, end, requesterHash);
    }
    if (roleLength > 0) {
      row.text(RequestColumn.ROLE_ARN, text, start, start + roleLength);
    }
  }

  private S3Api api(int start) {
    if (end - start < OPERATION_PREFIX + Long.BYTES) {
      return null;
    }
    long word = word(text, start, end);
    for (int i = 0; i < WORDS.length; i++) {
      if (WORDS[i] == word && Arrays.equals(NAMES[i], 0, NAMES[i].length, text, start, end)) {
        return APIS[i];
      }
    }
    return null;
  }

  private boolean measure(RequestRow row, RequestColumn column, long unit) {
    int start = end + 1;
    int at = start;
    value = 0;
    while (at < limit && Fields.isDigit(text[at])) {
      value = value * 10 + (text[at] - '0');
      at++;
    }
    if (at >= limit) {
      return false;
    }
    if (at == start) {
      end = at + 1;
      return text[at] == '-' && end < limit && text[end] == ' ';
    }
    end = at;
    if (at - start > MAX_DIGITS || text[at] != ' ') {
      return false;
    }
    row.number(column, value * unit);
    return true;
  }

  private boolean isDash(int start) {
    return isDashAt(start, end);
  }

  private boolean isDashAt(int start, int until) {
    return until - start == 1 && text[start] == '-';
  }

  private void set(RequestRow row, RequestColumn column, int start) {
    if (!isDash(start)) {
      row.text(column, text, start, end);
    }
  }
}
