/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.Locale;

/**
 * Records the headers of a request and its answer. The HTTP client logs one header on each line.
 */
final class LoggedHeaders {
  private static final int CONTINUE_OR_SO = 200;
  private static final int SLOW_DOWN = 503;
  private static final int MAX_TEXT = 4 << 10;

  private LoggedHeaders() {}

  static void sent(LoggedAttempt attempt, String header) {
    int colon = header.indexOf(": ");
    if (colon < 0) {
      return;
    }
    String value = header.substring(colon + 2).strip();
    switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
      case "host" -> attempt.host = value;
      case "amz-sdk-invocation-id" -> attempt.invocation = value;
      case "amz-sdk-request" -> attempt.number = Math.max(0, number(after(value, "attempt=")));
      case "amz-sdk-retry" -> {
        // The first number of the header counts the retries. Older SDKs have nothing better.
        if (attempt.number == 0) {
          attempt.number = number(value) + 1;
        }
      }
      case "content-length" -> attempt.requestBytes = number(value);
      case "x-amz-decoded-content-length" -> attempt.plainBytes = number(value);
      case "x-amz-copy-source" -> attempt.copy = true;
      case "range" -> range(attempt, value);
      case "referer" -> attempt.referer = value.length() > MAX_TEXT ? null : value;
      case "user-agent" -> attempt.userAgent = value.length() > MAX_TEXT ? null : value;
      default -> {
        // Signatures and dates: no table shows them.
      }
    }
  }

  static void received(LoggedAttempt attempt, String header, LogEvent event) {
    if (header.startsWith("HTTP/")) {
      status(attempt, header, event);
      return;
    }
    int colon = header.indexOf(": ");
    if (colon < 0 || !attempt.isAnswered()) {
      return;
    }
    String value = header.substring(colon + 2).strip();
    switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
      case "x-amz-request-id" -> attempt.requestId = value;
      case "content-length" -> attempt.answerBytes = number(value);
      case "content-range" -> attempt.objectBytes = number(after(value, "/"));
      default -> {
        // No table shows the other headers of an answer.
      }
    }
  }

  private static void status(LoggedAttempt attempt, String line, LogEvent event) {
    String rest = after(line, " ");
    int status = (int) number(rest);
    if (status < CONTINUE_OR_SO || status > 999) {
      return;
    }
    attempt.status = status;
    attempt.answeredMicros = event.micros();
    if (status >= 400 && attempt.error == null) {
      String reason = rest.strip();
      // Servers other than Amazon's write 503 Service Unavailable with the same meaning.
      attempt.error = status == SLOW_DOWN && !reason.endsWith("Slow Down") ? null : reason;
    }
  }

  private static void range(LoggedAttempt attempt, String value) {
    String range = after(value, "bytes=");
    long start = number(range);
    long last = number(after(range, "-"));
    if (start >= 0 && last >= start) {
      attempt.rangeStart = start;
      attempt.rangeEnd = last + 1;
    }
  }

  static String after(String text, String mark) {
    int at = text.indexOf(mark);
    return at < 0 ? "" : text.substring(at + mark.length());
  }

  /**
   * Returns the number at the beginning of a text; -1 when the text does not begin with a number.
   */
  static long number(String text) {
    int end = 0;
    while (end < text.length() && end < 18 && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end == 0 ? -1 : Long.parseLong(text.substring(0, end));
  }
}
