/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.Optional;

/**
 * An answer as the SDK logs it. The line does not name the request.
 *
 * @param error the error code; null when the request succeeded or the SDK does not log the code
 * @param requestId null when the line has no request id
 */
record Answer(int status, String error, String requestId) {
  private static final int NOT_FOUND = 404;
  private static final String REQUEST_ID = "Request ID: ";

  /**
   * Reads {@code Received successful|failed|error response: …}. Returns empty when the answer is
   * from another service than S3.
   */
  static Optional<Answer> of(String message) {
    String service = LoggedHeaders.after(message, "Service: ");
    if (!service.isEmpty() && !service.startsWith("Amazon S3") && !service.startsWith("S3")) {
      return Optional.empty();
    }
    // SDK v1 logs the exception, v2 only the status.
    String coded = LoggedHeaders.after(message, "Status Code: ");
    int status =
        (int)
            LoggedHeaders.number(
                coded.isEmpty() ? LoggedHeaders.after(message, "response: ") : coded);
    if (status < 100 || status > 999) {
      return Optional.empty();
    }
    String error = word(LoggedHeaders.after(message, "Error Code: "), ";)");
    return Optional.of(new Answer(status, error, requestId(message)));
  }

  private static String requestId(String message) {
    int at = message.indexOf(REQUEST_ID);
    String id = at < 0 ? null : word(message.substring(at + REQUEST_ID.length()), ",;) ");
    return id == null || id.equals("null") || id.equals("not") ? null : id;
  }

  private static String word(String text, String ends) {
    int end = 0;
    while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end == 0 ? null : text.substring(0, end);
  }

  boolean isSuccess() {
    return status < 300;
  }

  /** Returns true if SDKs retry a request after this answer. */
  boolean isRepeated() {
    return status >= 500 || status == 429;
  }

  /** Returns true if this can be the answer to the attempt. */
  boolean fits(LoggedAttempt attempt) {
    String verb = attempt.target.verb();
    if (attempt.isAnswered()) {
      return false;
    }
    if (error != null) {
      // The answer to a HEAD has no body with an error code, so SDK v1 builds a code from the
      // status.
      return verb.equals("HEAD") == error.startsWith(Integer.toString(status));
    }
    return status != NOT_FOUND || verb.equals("HEAD") || verb.equals("GET");
  }

  void on(LoggedAttempt attempt) {
    if (!attempt.isAnswered()) {
      attempt.status = status;
    }
    // The error code says more than the reason phrase of the status, which the headers contain.
    if (error != null && attempt.status == status) {
      attempt.error = error;
    }
    if (attempt.requestId == null) {
      attempt.requestId = requestId;
    }
  }
}
