/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import static io.penstock.analyze.request.RequestColumn.API;
import static io.penstock.analyze.request.RequestColumn.BUCKET;
import static io.penstock.analyze.request.RequestColumn.CHAIN;
import static io.penstock.analyze.request.RequestColumn.DIR;
import static io.penstock.analyze.request.RequestColumn.ERR;
import static io.penstock.analyze.request.RequestColumn.INV_ID;
import static io.penstock.analyze.request.RequestColumn.KEY;
import static io.penstock.analyze.request.RequestColumn.PART_NO;
import static io.penstock.analyze.request.RequestColumn.RANGE_START;
import static io.penstock.analyze.request.RequestColumn.RECORD;
import static io.penstock.analyze.request.RequestColumn.REQUESTER;
import static io.penstock.analyze.request.RequestColumn.REQ_ID;
import static io.penstock.analyze.request.RequestColumn.SOURCE;
import static io.penstock.analyze.request.RequestColumn.STATUS;
import static io.penstock.analyze.request.RequestColumn.THROTTLED;
import static io.penstock.analyze.request.RequestColumn.TOTAL_US;
import static io.penstock.analyze.request.RequestColumn.TS_END;
import static io.penstock.analyze.request.RequestColumn.TS_START;
import static io.penstock.analyze.request.RequestColumn.UPLOAD_ID;
import static io.penstock.analyze.request.RequestColumn.WRITE_ID;

import io.penstock.tables.bytes.Scan;
import java.util.Arrays;

/** Derives additional fields from the fields of a record, in the same way for all logs. */
final class Derived {
  private static final byte[] GET =
      "GetObject".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final byte[] SLOW_DOWN = {'S', 'l', 'o', 'w', 'D', 'o', 'w', 'n'};
  // The error of a throttled HEAD. Its answer has no body with a code, so clients write the reason
  // phrase.
  private static final byte[] SLOW_DOWN_OF_HEAD =
      "503 Slow Down".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private Derived() {}

  static void into(RequestRow row) {
    row.number(THROTTLED, isThrottled(row) ? 1 : 0);
    byte[] key = row.source(KEY);
    if (key != null) {
      directory(key, row);
    }
    if (!row.has(TS_END) && row.has(TS_START) && row.has(TOTAL_US)) {
      row.number(TS_END, row.number(TS_START) + row.number(TOTAL_US));
    }
    row.number(CHAIN, chain(row));
    row.number(WRITE_ID, write(row));
    if (row.has(REQ_ID)) {
      // Records with the same request id are not always repeats: a COPY has two records, and a
      // batch delete has one for each key. The API and the key tell them apart.
      long record = Hash64.add(0, row.hash(SOURCE));
      record = Hash64.add(record, row.hash(REQ_ID));
      record = Hash64.add(record, row.hash(API));
      record = Hash64.add(record, row.hash(KEY));
      row.number(RECORD, Hash64.ofFields(record));
    }
  }

  /**
   * Returns true if S3 throttled the request: SlowDown, 429, or a 503 without an error code. A 503
   * with another code, such as ServiceUnavailable, is a problem inside S3 and not caused by the
   * client.
   */
  private static boolean isThrottled(RequestRow row) {
    byte[] error = row.source(ERR);
    if (error == null) {
      long status = row.number(STATUS);
      return status == UNAVAILABLE || status == TOO_MANY_REQUESTS;
    }
    // MinIO tells a SlowDownRead from a SlowDownWrite.
    return Scan.startsWith(error, row.start(ERR), row.end(ERR), SLOW_DOWN)
        || is(row, error, SLOW_DOWN_OF_HEAD)
        || row.number(STATUS) == TOO_MANY_REQUESTS;
  }

  private static boolean is(RequestRow row, byte[] error, byte[] text) {
    return Arrays.equals(error, row.start(ERR), row.end(ERR), text, 0, text.length);
  }

  private static void directory(byte[] key, RequestRow row) {
    int start = row.start(KEY);
    row.text(DIR, key, start, Scan.findLast(key, start, row.end(KEY), '/') + 1);
  }

  /**
   * Returns a number that identifies the write. It is made of the bucket and the upload id; if the
   * record has lost the upload id, it is made of the object, the call, its part or range, and the
   * requester.
   */
  private static long write(RequestRow row) {
    if (!row.has(UPLOAD_ID)) {
      return row.number(CHAIN);
    }
    return Hash64.ofFields(Hash64.add(Hash64.add(0, row.hash(BUCKET)), row.hash(UPLOAD_ID)));
  }

  private static boolean isGet(RequestRow row) {
    byte[] api = row.source(API);
    return api != null && Arrays.equals(api, row.start(API), row.end(API), GET, 0, GET.length);
  }

  private static long chain(RequestRow row) {
    long fields = Hash64.add(0, row.hash(BUCKET));
    fields = Hash64.add(fields, row.hash(KEY));
    fields = Hash64.add(fields, row.hash(API));
    if (!row.has(KEY) || (isGet(row) && !row.has(RANGE_START))) {
      // A list, a bulk delete, a range of a file: which one is not in the record, and a program
      // makes
      // many of them at a time.
      fields = Hash64.add(fields, row.hash(row.has(INV_ID) ? INV_ID : REQ_ID));
    }
    fields = Hash64.add(fields, row.hash(UPLOAD_ID));
    fields = Hash64.add(fields, row.number(PART_NO));
    fields = Hash64.add(fields, row.has(RANGE_START) ? row.number(RANGE_START) : -1);
    return Hash64.ofFields(Hash64.add(fields, row.hash(REQUESTER)));
  }
}
