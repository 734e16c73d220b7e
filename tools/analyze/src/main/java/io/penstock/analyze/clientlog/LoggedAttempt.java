/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

/** One attempt at a request, as far as the lines of a log have told of it. */
final class LoggedAttempt {
  final LogEvent first;
  RequestTarget target;

  /** The lines it is known by elsewhere; null where it is not. */
  String preparedAs;

  String executedAs;
  String connection;
  String thread = "";

  /** True if the HTTP client was seen to send it, not only the SDK to prepare it. */
  boolean executed;

  boolean copy;
  String host;
  int status;
  String error;
  String requestId;
  String invocation;
  long number;
  long answeredMicros;
  long requestBytes = -1;
  long plainBytes = -1;
  long answerBytes = -1;
  long objectBytes = -1;
  long rangeStart = -1;
  long rangeEnd = -1;
  String referer;
  String userAgent;

  LoggedAttempt(LogEvent first, RequestTarget target) {
    this.first = first;
    this.target = target;
  }

  boolean isAnswered() {
    return status != 0;
  }
}
