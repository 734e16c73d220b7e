/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.requestlog;

import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.core.store.Operation;
import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.FieldScanner;
import io.penstock.tables.json.FieldTree;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parses a line of Penstock's request log: an attempt, or a wait for a permit. */
final class RequestLogParser implements LineParser {
  private static final byte[] SOURCE = ascii("request_log");
  private static final byte[] WAITED = ascii("WAITED");
  private static final byte[] TRUE = ascii("true");
  private static final Verdict NOT_JSON = Verdict.rejected("it is not JSON");
  private static final Verdict CUT_OFF = Verdict.rejected("it is cut off");
  private static final Verdict INCOMPLETE =
      Verdict.rejected("its time, operation or outcome is missing");

  private static final Map<String, S3Api> APIS = new HashMap<>();

  private static final int TS_MS = 0;
  private static final int OP = 1;
  private static final int OUTCOME = 2;
  private static final int TOTAL_US = 3;
  private static final int BUCKET = 4;
  private static final int KEY = 5;
  private static final int SENT = 6;
  private static final int RECEIVED = 7;
  private static final int HEDGE = 8;
  private static final int CUT = 9;
  private static final int REQ_ID = 10;
  private static final int PROCESS = 11;
  private static final int APP = 12;
  private static final int QUERY = 13;
  private static final int STAGE = 14;
  private static final int TASK = 15;
  private static final int RANGE = 16;
  private static final int CLIENT = 17;
  private static final FieldTree TREE =
      new FieldTree(
          List.of(
              "ts_ms",
              "op",
              "outcome",
              "total_us",
              "bucket",
              "key",
              "sent_bytes",
              "received_bytes",
              "hedge",
              "cut_because",
              "req_id",
              "process",
              "app",
              "query",
              "stage",
              "task",
              "range",
              "client"));

  /** The latest time accepted, in the year 5138, so that microseconds cannot overflow. */
  private static final long MAX_MILLIS = 100_000_000_000_000L;

  static {
    for (Operation operation : Operation.values()) {
      APIS.put(operation.name(), api(operation));
    }
  }

  private final FieldScanner line = new FieldScanner(TREE);

  private static S3Api api(Operation operation) {
    return switch (operation) {
      case GET -> S3Api.GET_OBJECT;
      case HEAD -> S3Api.HEAD_OBJECT;
      case PUT -> S3Api.PUT_OBJECT;
      case COPY -> S3Api.COPY_OBJECT;
      case DELETE -> S3Api.DELETE_OBJECT;
      case DELETE_ALL -> S3Api.DELETE_OBJECTS;
      case LIST -> S3Api.LIST_OBJECTS;
      case CREATE_UPLOAD -> S3Api.CREATE_UPLOAD;
      case UPLOAD_PART -> S3Api.UPLOAD_PART;
      case COPY_PART -> S3Api.UPLOAD_PART_COPY;
      case COMPLETE_UPLOAD -> S3Api.COMPLETE_UPLOAD;
      case ABORT_UPLOAD -> S3Api.ABORT_UPLOAD;
      case LIST_UPLOADS -> S3Api.LIST_UPLOADS;
      case LIST_PARTS -> S3Api.LIST_PARTS;
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public Verdict parse(byte[] text, int start, int end, RequestRow row) {
    int until = line.scan(text, start, end);
    if (until != end) {
      return until == FieldScanner.SHORT ? CUT_OFF : NOT_JSON;
    }
    long millis = line.number(TS_MS);
    if (millis < 0 || millis > MAX_MILLIS || !line.has(OP) || !line.has(OUTCOME)) {
      return INCOMPLETE;
    }
    row.text(RequestColumn.SOURCE, SOURCE);
    row.number(RequestColumn.TS_START, millis * 1_000);
    text(row, RequestColumn.BUCKET, line.bytes(BUCKET));
    text(row, RequestColumn.EXEC_ID, line.bytes(PROCESS));
    text(row, RequestColumn.APP_ID, line.bytes(APP));
    number(row, RequestColumn.QUERY, line.number(QUERY));
    number(row, RequestColumn.STAGE, line.number(STAGE));
    number(row, RequestColumn.TASK, line.number(TASK));
    text(row, RequestColumn.USER_AGENT, line.bytes(CLIENT));
    if (line.is(OUTCOME, WAITED)) {
      waited(line, row);
    } else {
      attempt(line, row);
    }
    return Verdict.REQUEST;
  }

  private static void waited(FieldScanner line, RequestRow row) {
    row.api(S3Api.WAIT);
    text(row, RequestColumn.KEY, line.bytes(KEY));
    long micros = line.number(TOTAL_US);
    if (micros >= 0) {
      row.number(RequestColumn.WAIT_US, micros);
      row.number(RequestColumn.TS_END, row.number(RequestColumn.TS_START) + micros);
    }
  }

  private static void attempt(FieldScanner line, RequestRow row) {
    S3Api api = APIS.get(line.text(OP));
    if (api == null) {
      row.otherApi(line.bytes(OP));
    } else {
      row.api(api);
    }
    // In a listing, this field is the prefix. Other logs have no key for a listing.
    if (api == null || api.kind() != S3Api.Kind.LIST) {
      text(row, RequestColumn.KEY, line.bytes(KEY));
    }
    AttemptOutcome said = AttemptOutcome.of(line.text(OUTCOME));
    if (said.status() > 0) {
      row.number(RequestColumn.STATUS, said.status());
    }
    if (said.error() != null) {
      row.text(RequestColumn.ERR, said.error());
    }
    row.number(RequestColumn.TOTAL_US, line.number(TOTAL_US));
    row.number(RequestColumn.BYTES_IN, line.number(SENT));
    row.number(RequestColumn.BYTES_OUT, line.number(RECEIVED));
    row.number(RequestColumn.HEDGE, line.is(HEDGE, TRUE) ? 1 : 0);
    text(row, RequestColumn.CUT, line.bytes(CUT));
    text(row, RequestColumn.REQ_ID, line.bytes(REQ_ID));
    // A repeated part may have another number, so the number would hide the retry.
    range(line.bytes(RANGE), row);
  }

  /** Sets the range of a GET, {@code 100-199}; the last bytes of an object have no known start. */
  private static void range(byte[] text, RequestRow row) {
    int dash = text == null ? -1 : Scan.find(text, 0, text.length, '-');
    if (dash > 0 && dash < text.length) {
      long first = Scan.number(text, 0, dash);
      long last = Scan.number(text, dash + 1, text.length);
      if (first >= 0 && last >= first) {
        row.number(RequestColumn.RANGE_START, first);
        row.number(RequestColumn.RANGE_END, last + 1);
      }
    }
  }

  private static void number(RequestRow row, RequestColumn column, long value) {
    if (value >= 0) {
      row.number(column, value);
    }
  }

  private static void text(RequestRow row, RequestColumn column, byte[] value) {
    if (value != null) {
      row.text(column, value);
    }
  }
}
