/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.audit.AuditReferer;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines of S3's server access log with 17 to 27 fields, in one pass over the bytes. The
 * fields up to the user agent are read from left to right. The parser accepts the irregularities of
 * published logs: quotes inside quoted fields, a bare dash instead of a quoted field, several
 * spaces between fields, and additional fields at the end.
 *
 * <p>Of the fields after the user agent, only the source region is read. It is recognized by its
 * form, because in some logs these fields are shifted by one.
 */
public final class AccessLogParser implements LineParser {
  private static final Verdict TOO_SHORT = Verdict.rejected("it has too few fields");
  private static final Verdict NO_TIME = Verdict.rejected("its time cannot be read");
  private static final Verdict NO_OPERATION = Verdict.rejected("it names no operation");
  private static final Verdict NO_URI =
      Verdict.rejected("its request cannot be told from what follows");
  private static final Verdict NO_NUMBER =
      Verdict.rejected("a size or a time is not a number, or not one that can be");
  private static final Verdict OWN_WORK = Verdict.skipped("S3's own work, such as lifecycle rules");
  private static final Verdict BATCH =
      Verdict.skipped("one key of a batch delete, which has a record of its own");
  private static final Verdict COPY_SOURCE =
      Verdict.skipped("the source of a copy, which has a record of its own");
  private static final byte[] OWN = ascii("S3.");
  private static final byte[] BATCH_DELETE = ascii("BATCH.DELETE.OBJECT");
  private static final byte[] COPY_GET = ascii("REST.COPY.OBJECT_GET");
  private static final byte[] COPY_PART_GET = ascii("REST.COPY.PART_GET");
  private static final byte[] ASSUMED_ROLE = ascii(":assumed-role/");
  private static final long MICROS_PER_MILLI = 1_000;

  /** The largest number of bytes or microseconds that is accepted: 1,000 TB or about 30 years. */
  private static final long MAX_NUMBER = 1_000_000_000_000_000L;

  private static final S3Api[] APIS = S3Api.values();
  private static final byte[][] NAMES =
      Arrays.stream(APIS).map(api -> ascii(api.logName())).toArray(byte[][]::new);

  private final RegularLine regular = new RegularLine();
  private final AuditReferer audit = new AuditReferer();

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int parseRegular(byte[] text, int start, int limit, RequestRow row) {
    return regular.parse(text, start, limit, row);
  }

  @Override
  public Verdict parse(byte[] text, int start, int end, RequestRow row) {
    Fields fields = new Fields(text, start, end);
    fields.token();
    if (!set(row, RequestColumn.BUCKET, fields)) {
      return TOO_SHORT;
    }
    if (!fields.time()) {
      return NO_TIME;
    }
    row.number(RequestColumn.TS_START, fields.micros());
    if (!row.has(RequestColumn.TS_START)) {
      return NO_TIME;
    }
    return who(fields, row);
  }

  private Verdict who(Fields fields, RequestRow row) {
    if (!set(row, RequestColumn.CLIENT_IP, fields) || !set(row, RequestColumn.REQUESTER, fields)) {
      return TOO_SHORT;
    }
    role(fields, row);
    if (!set(row, RequestColumn.REQ_ID, fields) || !fields.token()) {
      return TOO_SHORT;
    }
    Verdict passedOver = passedOver(fields.text(), fields.start(), fields.end());
    if (passedOver != null) {
      return passedOver;
    }
    return isOperation(fields.text(), fields.start(), fields.end())
        ? what(fields, row, api(fields, row))
        : NO_OPERATION;
  }

  /** Returns why a record of an operation is no request; null if it is one. */
  static Verdict passedOver(byte[] text, int start, int end) {
    if (Scan.startsWith(text, start, end, OWN)) {
      return OWN_WORK;
    } else if (isEqual(text, start, end, BATCH_DELETE)) {
      return BATCH;
    }
    boolean isSource =
        isEqual(text, start, end, COPY_GET) || isEqual(text, start, end, COPY_PART_GET);
    return isSource ? COPY_SOURCE : null;
  }

  private static boolean isEqual(byte[] text, int start, int end, byte[] name) {
    return end - start == name.length && Scan.startsWith(text, start, end, name);
  }

  /** Returns true if a text is the name of an operation, such as REST.PUT.PART. */
  private static boolean isOperation(byte[] text, int start, int end) {
    boolean hasDot = false;
    for (int i = start; i < end; i++) {
      byte c = text[i];
      hasDot |= c == '.';
      if (!(c >= 'A' && c <= 'Z') && !Fields.isDigit(c) && c != '.' && c != '_') {
        return false;
      }
    }
    return hasDot && text[start] != '.' && end - start > 2;
  }

  private Verdict what(Fields fields, RequestRow row, S3Api api) {
    if (!fields.token()) {
      return TOO_SHORT;
    }
    boolean hasKey = !fields.isDash();
    int key = fields.start();
    int keyEnd = fields.end();
    if (!fields.request()) {
      return NO_URI;
    }
    if (hasKey) {
      LoggedKey.read(fields.text(), key, keyEnd, fields.start(), fields.end(), row);
    }
    RequestLine.read(fields, row);
    fields.token();
    if (!fields.isDash()) {
      row.number(RequestColumn.STATUS, fields.number());
    }
    return set(row, RequestColumn.ERR, fields) ? measures(fields, row, api) : TOO_SHORT;
  }

  private Verdict measures(Fields fields, RequestRow row, S3Api api) {
    if (!measure(fields, row, RequestColumn.BYTES_OUT, 1)
        || !measure(fields, row, RequestColumn.OBJ_SIZE, 1)
        || !measure(fields, row, RequestColumn.TOTAL_US, MICROS_PER_MILLI)
        || !measure(fields, row, RequestColumn.TTFB_US, MICROS_PER_MILLI)) {
      return NO_NUMBER;
    }
    if ((api == S3Api.UPLOAD_PART || api == S3Api.PUT_OBJECT) && row.has(RequestColumn.OBJ_SIZE)) {
      // The log has no field for the bytes sent. For an upload, its object size is that number.
      row.number(RequestColumn.BYTES_IN, row.number(RequestColumn.OBJ_SIZE));
    }
    if (fields.quoted() && !fields.isDash()) {
      audit.decode(fields.text(), fields.start(), fields.end(), row);
    }
    if (fields.lastQuoted() && !fields.isDash()) {
      row.text(RequestColumn.USER_AGENT, fields.text(), fields.start(), fields.end());
    }
    int rest = fields.end();
    fields.lastToken();
    if (fields.looksLikeRegion()
        && SourceRegion.isAnother(
            fields.text(), rest, fields.start(), fields.text(), fields.start(), fields.end())) {
      row.text(RequestColumn.SOURCE_REGION, fields.text(), fields.start(), fields.end());
    }
    row.text(RequestColumn.SOURCE, AccessLog.SOURCE);
    return Verdict.REQUEST;
  }

  private static boolean measure(Fields fields, RequestRow row, RequestColumn column, long unit) {
    if (!fields.token()) {
      return false;
    }
    if (fields.isDash()) {
      return true;
    }
    long value = fields.number();
    if (value < 0 || value > MAX_NUMBER / unit) {
      return false;
    }
    row.number(column, value * unit);
    return true;
  }

  private S3Api api(Fields fields, RequestRow row) {
    for (int i = 0; i < NAMES.length; i++) {
      if (fields.equalTo(NAMES[i])) {
        row.api(APIS[i]);
        return APIS[i];
      }
    }
    row.otherApi(Arrays.copyOfRange(fields.text(), fields.start(), fields.end()));
    return S3Api.WAIT;
  }

  /**
   * Sets the role of a session: ROLE in arn:aws:sts::1:assumed-role/ROLE, without the session's
   * name.
   */
  private static void role(Fields fields, RequestRow row) {
    int length = roleLength(fields.text(), fields.start(), fields.end());
    if (length > 0) {
      row.text(RequestColumn.ROLE_ARN, fields.text(), fields.start(), fields.start() + length);
    }
  }

  /** Returns how much of a requester names its role; 0 if it is no session of a role. */
  static int roleLength(byte[] text, int start, int end) {
    int role = Scan.indexOf(text, start, end, ASSUMED_ROLE);
    return role < 0 ? 0 : Scan.find(text, role + ASSUMED_ROLE.length, end, '/') - start;
  }

  /** Sets a column to the next field, if that is no dash; returns false if there is no field. */
  private static boolean set(RequestRow row, RequestColumn column, Fields fields) {
    boolean isField = fields.token();
    if (isField && !fields.isDash()) {
      row.text(column, fields.text(), fields.start(), fields.end());
    }
    return isField;
  }
}
