/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import static io.penstock.analyze.request.RequestColumn.BUCKET;
import static io.penstock.analyze.request.RequestColumn.BYTES_IN;
import static io.penstock.analyze.request.RequestColumn.BYTES_OUT;
import static io.penstock.analyze.request.RequestColumn.CLIENT_IP;
import static io.penstock.analyze.request.RequestColumn.ERR;
import static io.penstock.analyze.request.RequestColumn.KEY;
import static io.penstock.analyze.request.RequestColumn.PART_NO;
import static io.penstock.analyze.request.RequestColumn.REQUESTER;
import static io.penstock.analyze.request.RequestColumn.REQ_ID;
import static io.penstock.analyze.request.RequestColumn.ROLE_ARN;
import static io.penstock.analyze.request.RequestColumn.SOURCE;
import static io.penstock.analyze.request.RequestColumn.STATUS;
import static io.penstock.analyze.request.RequestColumn.TS_START;
import static io.penstock.analyze.request.RequestColumn.UPLOAD_ID;
import static io.penstock.analyze.request.RequestColumn.USER_AGENT;

import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.ErrorStatus;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.json.FieldScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Fills a row from an event. CloudTrail records neither status nor duration. The status is set if
 * the error code determines it; otherwise, also after a success, it stays empty. A key is used
 * unchanged: CloudTrail does not encode it, and Spark's own keys contain {@code %3A}, which must be
 * kept.
 */
final class EventReader {
  private static final byte[] CLOUDTRAIL = ascii("cloudtrail");
  private static final byte[] DATA = ascii("Data");
  private static final byte[] MANAGEMENT = ascii("Management");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] S3 = ascii("s3.amazonaws.com");
  private static final byte[] S3_CHINA = ascii("s3.amazonaws.com.cn");
  private static final byte[] S3_EXPRESS = ascii("s3express.amazonaws.com");

  private static final Verdict OTHER_SERVICE = Verdict.skipped("is a call of another service");
  private static final Verdict MANAGING = Verdict.skipped("is a management event");
  private static final Verdict OTHER_CATEGORY = Verdict.skipped("is neither data nor management");
  private static final Verdict NO_EVENT = Verdict.rejected("it is not a CloudTrail event");
  private static final Verdict NO_TIME = Verdict.rejected("its time cannot be read");

  private EventReader() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Fills a cleared row from an event that was scanned with {@link TrailEvent#TREE}. */
  static Verdict read(FieldScanner event, RequestRow row) {
    if (!event.has(TrailEvent.SOURCE) || !event.has(TrailEvent.NAME)) {
      return NO_EVENT;
    }
    if (!isS3(event)) {
      return OTHER_SERVICE;
    }
    String name = event.text(TrailEvent.NAME);
    Optional<S3Api> api = S3Api.named(name);
    Verdict category = category(event, api.isPresent());
    if (category.what() != Verdict.What.REQUEST) {
      return category;
    }
    long time = event.micros(event.has(TrailEvent.TIME) ? TrailEvent.TIME : TrailEvent.TIMESTAMP);
    if (time == Long.MIN_VALUE) {
      return NO_TIME;
    }
    row.text(SOURCE, CLOUDTRAIL);
    row.number(TS_START, time);
    if (api.isPresent()) {
      row.api(api.get());
    } else {
      row.otherApi(event.bytes(TrailEvent.NAME));
    }
    fill(event, row);
    return Verdict.REQUEST;
  }

  private static boolean isS3(FieldScanner event) {
    return event.is(TrailEvent.SOURCE, S3)
        || event.is(TrailEvent.SOURCE, S3_EXPRESS)
        || event.is(TrailEvent.SOURCE, S3_CHINA);
  }

  /**
   * Checks the event's category. Events before version 1.07 have no category; they are accepted
   * only if the call is a known data call.
   */
  private static Verdict category(FieldScanner event, boolean isKnownCall) {
    if (event.is(TrailEvent.CATEGORY, DATA)) {
      return Verdict.REQUEST;
    }
    if (event.is(TrailEvent.CATEGORY, MANAGEMENT) || event.is(TrailEvent.IS_MANAGEMENT, TRUE)) {
      return MANAGING;
    }
    if (event.has(TrailEvent.CATEGORY)) {
      return OTHER_CATEGORY;
    }
    return isKnownCall ? Verdict.REQUEST : MANAGING;
  }

  private static void fill(FieldScanner event, RequestRow row) {
    text(event, TrailEvent.BUCKET, row, BUCKET);
    text(event, event.has(TrailEvent.KEY) ? TrailEvent.KEY : TrailEvent.PREFIX, row, KEY);
    text(event, TrailEvent.UPLOAD, row, UPLOAD_ID);
    row.number(PART_NO, event.number(TrailEvent.PART));
    row.number(BYTES_IN, event.number(TrailEvent.BYTES_IN));
    row.number(BYTES_OUT, event.number(TrailEvent.BYTES_OUT));
    text(event, TrailEvent.IP, row, CLIENT_IP);
    text(
        event,
        event.has(TrailEvent.REQUEST_ID) ? TrailEvent.REQUEST_ID : TrailEvent.EVENT_ID,
        row,
        REQ_ID);
    int who = event.has(TrailEvent.ARN) ? TrailEvent.ARN : TrailEvent.SERVICE;
    text(event, event.has(who) ? who : TrailEvent.PRINCIPAL, row, REQUESTER);
    text(event, event.has(TrailEvent.ROLE) ? TrailEvent.ROLE : TrailEvent.ARN, row, ROLE_ARN);
    byte[] agent = event.bytes(TrailEvent.AGENT);
    if (agent != null) {
      row.text(USER_AGENT, withoutBrackets(agent));
    }
    byte[] error = event.bytes(TrailEvent.ERROR);
    if (error != null && error.length > 0) {
      row.text(ERR, error);
      int status = ErrorStatus.of(error);
      if (status > 0) {
        row.number(STATUS, status);
      }
    }
  }

  private static void text(FieldScanner event, int field, RequestRow row, RequestColumn column) {
    if (event.isPlain(field)) {
      if (event.end(field) > event.start(field)) {
        row.text(column, event.text(), event.start(field), event.end(field));
      }
      return;
    }
    byte[] value = event.bytes(field);
    if (value != null && value.length > 0) {
      row.text(column, value);
    }
  }

  private static byte[] withoutBrackets(byte[] agent) {
    int last = agent.length - 1;
    return last > 0 && agent[0] == '[' && agent[last] == ']'
        ? Arrays.copyOfRange(agent, 1, last)
        : agent;
  }
}
