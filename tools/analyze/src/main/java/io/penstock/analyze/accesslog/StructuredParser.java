/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.audit.AuditReferer;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.request.PercentCode;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.FieldScanner;
import io.penstock.tables.json.FieldTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a line of the structured access log. {@link StructuredFields} lists the fields. */
final class StructuredParser implements LineParser {
  private static final Verdict NOT_JSON = Verdict.rejected("it is not JSON");
  private static final Verdict CUT_OFF = Verdict.rejected("it is cut off");
  private static final Verdict NO_TIME = Verdict.rejected("its time cannot be read");
  private static final Verdict NO_OPERATION = Verdict.rejected("it names no operation");
  private static final long MICROS_PER_MILLI = 1_000;

  private static final List<StructuredFields.Field> FIELDS = StructuredFields.all();
  private static final List<String> NAMES = new ArrayList<>();
  private static final int[][] NUMBERS = new int[FIELDS.size()][];
  private static final int[] URI;
  private static final int[] REFERER;
  private static final int[] HOST;
  private static final int[] REGION;
  private static final FieldTree TREE;

  private final FieldScanner record = new FieldScanner(TREE);
  private final AuditReferer audit = new AuditReferer();

  static {
    for (int i = 0; i < NUMBERS.length; i++) {
      NUMBERS[i] = numbers(FIELDS.get(i).names());
    }
    URI = numbers(StructuredFields.REQUEST_URI);
    REFERER = numbers(StructuredFields.REFERER);
    HOST = numbers(StructuredFields.HOST);
    REGION = numbers(StructuredFields.REGION);
    TREE = new FieldTree(NAMES);
  }

  private static int[] numbers(List<String> names) {
    int first = NAMES.size();
    NAMES.addAll(names);
    return java.util.stream.IntStream.range(first, NAMES.size()).toArray();
  }

  @Override
  public Verdict parse(byte[] text, int start, int end, RequestRow row) {
    int until = record.scan(text, start, end);
    if (until < 0) {
      return until == FieldScanner.SHORT ? CUT_OFF : NOT_JSON;
    }
    byte[] uri = value(record, URI);
    Verdict verdict = Verdict.REQUEST;
    for (int i = 0; i < NUMBERS.length && verdict.what() == Verdict.What.REQUEST; i++) {
      int field = first(record, NUMBERS[i]);
      if (field >= 0) {
        verdict = set(record, field, FIELDS.get(i), uri, row);
      }
    }
    return verdict.what() == Verdict.What.REQUEST ? rest(uri, row) : verdict;
  }

  private Verdict rest(byte[] uri, RequestRow row) {
    if (!row.has(RequestColumn.TS_START)) {
      return NO_TIME;
    }
    if (!row.has(RequestColumn.API)) {
      return NO_OPERATION;
    }
    row.text(RequestColumn.SOURCE, AccessLog.SOURCE);
    role(row);
    if (uri != null) {
      RequestLine.read(uri, 0, uri.length, row);
    }
    byte[] referer = value(record, REFERER);
    if (referer != null) {
      audit.decode(referer, 0, referer.length, row);
    }
    byte[] host = value(record, HOST);
    byte[] region = value(record, REGION);
    if (host != null
        && region != null
        && SourceRegion.isAnother(host, 0, host.length, region, 0, region.length)) {
      row.text(RequestColumn.SOURCE_REGION, region);
    }
    String api = row.text(RequestColumn.API);
    boolean isUpload =
        api.equals(S3Api.UPLOAD_PART.apiName()) || api.equals(S3Api.PUT_OBJECT.apiName());
    if (isUpload && row.has(RequestColumn.OBJ_SIZE)) {
      // As in the older format: for an upload, the object size is the number of bytes sent.
      row.number(RequestColumn.BYTES_IN, row.number(RequestColumn.OBJ_SIZE));
    }
    return Verdict.REQUEST;
  }

  /** Sets the role of a session in the same form as {@link AccessLogParser}. */
  private static void role(RequestRow row) {
    byte[] requester = row.bytes(RequestColumn.REQUESTER);
    int length = requester == null ? 0 : AccessLogParser.roleLength(requester, 0, requester.length);
    if (length > 0) {
      row.text(RequestColumn.ROLE_ARN, requester, 0, length);
    }
  }

  /**
   * Returns the first of the given fields that has a value; the older format's dash is no value.
   */
  private static int first(FieldScanner record, int[] fields) {
    for (int field : fields) {
      if (record.has(field)) {
        byte[] value = record.bytes(field);
        if (value.length > 0 && !(value.length == 1 && value[0] == '-')) {
          return field;
        }
      }
    }
    return -1;
  }

  private static byte[] value(FieldScanner record, int[] fields) {
    int field = first(record, fields);
    return field < 0 ? null : record.bytes(field);
  }

  private static Verdict set(
      FieldScanner record, int number, StructuredFields.Field field, byte[] uri, RequestRow row) {
    switch (field.meaning()) {
      case TEXT -> row.text(field.column(), record.bytes(number));
      case KEY -> row.text(field.column(), key(record.bytes(number), uri));
      case NUMBER -> number(record.number(number), 1, field.column(), row);
      case MILLIS -> number(record.number(number), MICROS_PER_MILLI, field.column(), row);
      case TIME -> {
        long time = record.micros(number);
        if (time == Long.MIN_VALUE) {
          return NO_TIME;
        }
        row.number(field.column(), time);
      }
      case OPERATION -> {
        return operation(record.text(number), row);
      }
    }
    return Verdict.REQUEST;
  }

  private static void number(long value, long unit, RequestColumn column, RequestRow row) {
    if (value >= 0 && value <= Long.MAX_VALUE / unit) {
      row.number(column, value * unit);
    }
  }

  private static Verdict operation(String name, RequestRow row) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    Verdict passedOver = AccessLogParser.passedOver(bytes, 0, bytes.length);
    if (passedOver != null) {
      return passedOver;
    }
    Optional<S3Api> api = S3Api.ofLog(name).or(() -> S3Api.named(name));
    if (api.isPresent()) {
      row.api(api.get());
    } else {
      row.otherApi(bytes);
    }
    return Verdict.REQUEST;
  }

  /**
   * Decodes the key if it is encoded. AWS does not document this, and an unencoded key can contain
   * a percent sign. The URI is always encoded, so the key is encoded too if the URI contains it in
   * the same form.
   */
  private static byte[] key(byte[] key, byte[] uri) {
    if (uri == null || Scan.find(key, 0, key.length, '%') == key.length) {
      return key;
    }
    int path = Scan.find(uri, 0, uri.length, '?');
    int end = path < uri.length ? path : lastSpace(uri);
    boolean stands = end >= key.length && Scan.startsWith(uri, end - key.length, end, key);
    return stands ? PercentCode.decode(key, 0, key.length) : key;
  }

  private static int lastSpace(byte[] uri) {
    int at = Scan.findLast(uri, 0, uri.length, ' ');
    // The space after the method does not end the URI: "GET /key" has no version after it.
    return at > Scan.find(uri, 0, uri.length, ' ') ? at : uri.length;
  }
}
