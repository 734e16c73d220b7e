/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

/** One attempt at a request, with the facts that the log's lines have given so far. */
final class LoggedAttempt {
  final LogEvent first;
  RequestTarget target;

  /**
   * The keys by which {@link OpenAttempts} finds this attempt, in this field and the next two; null
   * where there is none.
   */
  String preparedAs;

  String executedAs;
  String connection;
  String thread = "";

  /** True if the HTTP client logged that it sent the attempt; false if only the SDK prepared it. */
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
