/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.util.Map;

/** The reason phrases of HTTP statuses, which some clients show to people. */
final class Reasons {
  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(200, "OK"),
          Map.entry(204, "No Content"),
          Map.entry(206, "Partial Content"),
          Map.entry(301, "Moved Permanently"),
          Map.entry(304, "Not Modified"),
          Map.entry(307, "Temporary Redirect"),
          Map.entry(400, "Bad Request"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(409, "Conflict"),
          Map.entry(411, "Length Required"),
          Map.entry(412, "Precondition Failed"),
          Map.entry(416, "Requested Range Not Satisfiable"),
          Map.entry(431, "Request Header Fields Too Large"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(502, "Bad Gateway"),
          Map.entry(503, "Slow Down"),
          Map.entry(504, "Gateway Timeout"),
          Map.entry(505, "HTTP Version Not Supported"));

  private Reasons() {}

  static String of(int status) {
    return WORDS.getOrDefault(status, "Status " + status);
  }
}
