/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.request.PercentCode;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the query string of a request: the upload id and the part number. */
final class RequestLine {
  private static final byte[] UPLOAD = "uploadId=".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PART = "partNumber=".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_DIGITS = 6;

  private RequestLine() {}

  static void read(Fields fields, RequestRow row) {
    read(fields.text(), fields.start(), fields.end(), row);
  }

  static void read(byte[] text, int start, int end, RequestRow row) {
    int at = Scan.find(text, start, end, '?');
    while (at < end && text[at] != ' ') {
      int value = at + 1;
      int until = Scan.findEither(text, Math.min(value, end), end, '&', ' ');
      parameter(text, value, until, row);
      at = until;
    }
  }

  private static void parameter(byte[] text, int start, int end, RequestRow row) {
    if (startsWith(text, start, end, UPLOAD)) {
      PercentCode.decode(text, start + UPLOAD.length, end, RequestColumn.UPLOAD_ID, row);
    } else if (startsWith(text, start, end, PART)) {
      int number = number(text, start + PART.length, end);
      if (number > 0) {
        row.number(RequestColumn.PART_NO, number);
      }
    }
  }

  private static boolean startsWith(byte[] text, int start, int end, byte[] prefix) {
    return end - start > prefix.length
        && Arrays.equals(text, start, start + prefix.length, prefix, 0, prefix.length);
  }

  private static int number(byte[] text, int start, int end) {
    if (end - start > MAX_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int at = start; at < end; at++) {
      if (!Fields.isDigit(text[at])) {
        return -1;
      }
      number = number * 10 + (text[at] - '0');
    }
    return number;
  }
}
