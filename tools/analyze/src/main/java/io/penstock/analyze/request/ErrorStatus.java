/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The HTTP status of an error code, for codes to which S3's documentation assigns exactly one
 * status.
 */
public final class ErrorStatus {
  private static final Map<String, Integer> BY_CODE =
      Map.ofEntries(
          Map.entry("SlowDown", 503),
          Map.entry("ServiceUnavailable", 503),
          Map.entry("InternalError", 500),
          Map.entry("AccessDenied", 403),
          Map.entry("InvalidAccessKeyId", 403),
          Map.entry("SignatureDoesNotMatch", 403),
          Map.entry("ExpiredToken", 400),
          Map.entry("NoSuchKey", 404),
          Map.entry("NoSuchBucket", 404),
          Map.entry("NoSuchUpload", 404),
          Map.entry("NotModified", 304),
          Map.entry("PreconditionFailed", 412),
          Map.entry("RequestTimeout", 400),
          Map.entry("InvalidRange", 416));

  private ErrorStatus() {}

  /** Returns the status; 0 when the code does not determine it. */
  public static int of(byte[] code) {
    // The answer to a HEAD has no body with a code. CloudTrail may write "503 Slow Down" instead.
    if (code.length > 3 && code[3] == ' ' && code[0] >= '3' && code[0] <= '5') {
      return (int) Math.max(0, Scan.number(code, 0, 3));
    }
    return BY_CODE.getOrDefault(new String(code, StandardCharsets.ISO_8859_1), 0);
  }
}
