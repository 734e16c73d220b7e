/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.request.PercentCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The verb, path and query of a request's first line.
 *
 * @param path encoded, with its leading slash
 * @param query encoded, without the question mark; empty when there is none
 */
record RequestTarget(String verb, String path, String query) {
  private static final int MAX_VERB = 7;

  /** Reads {@code PUT /bucket/key?partNumber=1 HTTP/1.1}. The version may be missing. */
  static Optional<RequestTarget> of(String line) {
    int space = line.indexOf(' ');
    if (space < 1 || space > MAX_VERB || !isVerb(line.substring(0, space))) {
      return Optional.empty();
    }
    int version = line.lastIndexOf(" HTTP/");
    String address = line.substring(space + 1, version > space ? version : line.length());
    if (address.startsWith("http://") || address.startsWith("https://")) {
      int slash = address.indexOf('/', address.indexOf("//") + 2);
      address = slash < 0 ? "/" : address.substring(slash);
    }
    if (!address.startsWith("/")) {
      return Optional.empty();
    }
    int mark = address.indexOf('?');
    String verb = line.substring(0, space);
    return Optional.of(
        mark < 0
            ? new RequestTarget(verb, address, "")
            : new RequestTarget(verb, address.substring(0, mark), address.substring(mark + 1)));
  }

  private static boolean isVerb(String word) {
    return word.chars().allMatch(c -> c >= 'A' && c <= 'Z');
  }

  /** Returns the verb, path and query in the form of the log's request lines. */
  String line() {
    return query.isEmpty() ? verb + " " + path : verb + " " + path + "?" + query;
  }

  /** Returns the verb and path only, because some lines leave the query out. */
  String withoutQuery() {
    return verb + " " + path;
  }

  boolean has(String parameter) {
    return value(parameter) != null;
  }

  /**
   * Returns the decoded value of a parameter. Returns an empty text when the parameter has no
   * value, null when it is missing.
   */
  String value(String parameter) {
    int at = 0;
    while (at <= query.length()) {
      int and = query.indexOf('&', at);
      int end = and < 0 ? query.length() : and;
      if (query.startsWith(parameter, at)) {
        int behind = at + parameter.length();
        if (behind == end) {
          return "";
        }
        if (behind < end && query.charAt(behind) == '=') {
          return text(query.substring(behind + 1, end));
        }
      }
      at = end + 1;
    }
    return null;
  }

  private static String text(String encoded) {
    return new String(decoded(encoded), StandardCharsets.UTF_8);
  }

  /** Returns the bytes of a decoded path. Invalid encodings are kept unchanged. */
  static byte[] decoded(String encoded) {
    byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
    return PercentCode.decode(bytes, 0, bytes.length);
  }
}
