/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import static io.penstock.analyze.request.RequestColumn.API;
import static io.penstock.analyze.request.RequestColumn.BUCKET;
import static io.penstock.analyze.request.RequestColumn.CHAIN;
import static io.penstock.analyze.request.RequestColumn.DIR;
import static io.penstock.analyze.request.RequestColumn.ERR;
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

import java.util.Arrays;

/** Derives additional fields from the fields of a record, in the same way for all logs. */
final class Derived {
  private static final byte[] SLOW_DOWN = {'S', 'l', 'o', 'w', 'D', 'o', 'w', 'n'};
  // The error of a throttled HEAD. Its answer has no body with a code, so clients write the reason
  // phrase.
  private static final byte[] SLOW_DOWN_OF_HEAD =
      "503 Slow Down".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final byte[] EMPTY = {};
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private Derived() {}

  static void into(RequestRow row) {
    row.number(THROTTLED, isThrottled(row) ? 1 : 0);
    byte[] key = row.bytes(KEY);
    if (key != null) {
      row.text(DIR, directory(key));
    }
    if (!row.has(TS_END) && row.has(TS_START) && row.has(TOTAL_US)) {
      row.number(TS_END, row.number(TS_START) + row.number(TOTAL_US));
    }
    row.number(CHAIN, chain(row));
    row.number(WRITE_ID, write(row));
    byte[] id = row.bytes(REQ_ID);
    if (id != null) {
      // Records with the same request id are not always repeats: a COPY has two records, and a
      // batch delete has one for each key. The API and the key tell them apart.
      row.number(
          RECORD, new Hash64().add(row.bytes(SOURCE)).add(id).add(row.bytes(API)).add(key).value());
    }
  }

  /**
   * Returns true if S3 throttled the request: SlowDown, 429, or a 503 without an error code. A 503
   * with another code, such as ServiceUnavailable, is a problem inside S3 and not caused by the
   * client.
   */
  private static boolean isThrottled(RequestRow row) {
    byte[] error = row.bytes(ERR);
    if (error == null) {
      long status = row.number(STATUS);
      return status == UNAVAILABLE || status == TOO_MANY_REQUESTS;
    }
    return Arrays.equals(error, SLOW_DOWN)
        || Arrays.equals(error, SLOW_DOWN_OF_HEAD)
        || row.number(STATUS) == TOO_MANY_REQUESTS;
  }

  private static byte[] directory(byte[] key) {
    int slash = key.length - 1;
    while (slash >= 0 && key[slash] != '/') {
      slash--;
    }
    return slash < 0 ? EMPTY : Arrays.copyOf(key, slash + 1);
  }

  /**
   * Returns a number that identifies the write. It is made of the bucket and the upload id; if the
   * record has lost the upload id, it is made of the object, the call, its part or range, and the
   * requester.
   */
  private static long write(RequestRow row) {
    byte[] upload = row.bytes(UPLOAD_ID);
    return upload == null
        ? row.number(CHAIN)
        : new Hash64().add(row.bytes(BUCKET)).add(upload).value();
  }

  private static long chain(RequestRow row) {
    return new Hash64()
        .add(row.bytes(BUCKET))
        .add(row.bytes(KEY))
        .add(row.bytes(API))
        .add(row.bytes(UPLOAD_ID))
        .add(row.number(PART_NO))
        .add(row.has(RANGE_START) ? row.number(RANGE_START) : -1)
        .add(row.bytes(REQUESTER))
        .value();
  }
}
