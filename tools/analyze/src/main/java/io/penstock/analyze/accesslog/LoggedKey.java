/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.request.PercentCode;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;

/**
 * The key of a record. S3 encodes it twice, as Yelp's engineers found in their logs (<i>S3 server
 * access logs at scale</i>, 2025), and other writers of the format once. The URI is encoded once:
 * where it has the key as the record has it, so is the key.
 */
final class LoggedKey {
  private static final byte[] PERCENT = "%25".getBytes(StandardCharsets.US_ASCII);

  private LoggedKey() {}

  static void read(byte[] text, int start, int end, int uri, int uriEnd, RequestRow row) {
    if (Scan.indexOf(text, start, end, PERCENT) < 0 || stands(text, start, end, uri, uriEnd)) {
      PercentCode.decode(text, start, end, RequestColumn.KEY, row);
      return;
    }
    byte[] once = PercentCode.decode(text, start, end);
    PercentCode.decode(once, 0, once.length, RequestColumn.KEY, row);
  }

  private static boolean stands(byte[] text, int start, int end, int uri, int uriEnd) {
    int query = Scan.find(text, uri, uriEnd, '?');
    int version = query < uriEnd ? query : Scan.findLast(text, uri, uriEnd, ' ');
    int from = version - (end - start);
    for (int at = start; at < end && from > uri; at++) {
      if (text[from + at - start] != text[at]) {
        return false;
      }
    }
    return from > uri;
  }
}
