/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.Optional;

/**
 * The words of the SDK about an answer, without saying to which request.
 *
 * @param error its code; null when all went well or the SDK does not say
 * @param requestId null when there is none
 */
record Answer(int status, String error, String requestId) {
  private static final int NOT_FOUND = 404;
  private static final String REQUEST_ID = "Request ID: ";

  /**
   * Reads {@code Received successful|failed|error response: …}; empty when it is of another
   * service.
   */
  static Optional<Answer> of(String message) {
    String service = Headers.after(message, "Service: ");
    if (!service.isEmpty() && !service.startsWith("Amazon S3") && !service.startsWith("S3")) {
      return Optional.empty();
    }
    // SDK v1 prints the exception, v2 the status alone.
    String coded = Headers.after(message, "Status Code: ");
    int status =
        (int) Headers.number(coded.isEmpty() ? Headers.after(message, "response: ") : coded);
    if (status < 100 || status > 999) {
      return Optional.empty();
    }
    String error = word(Headers.after(message, "Error Code: "), ";)");
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

  /** Returns true if SDKs repeat what was answered so. */
  boolean isRepeated() {
    return status >= 500 || status == 429;
  }

  /** Returns true if an attempt may have been answered so. */
  boolean fits(LoggedAttempt attempt) {
    String verb = attempt.target.verb();
    if (attempt.isAnswered()) {
      return false;
    }
    if (error != null) {
      // An answer to a HEAD has no body to take a code from: SDK v1 makes one of the status.
      return verb.equals("HEAD") == error.startsWith(Integer.toString(status));
    }
    return status != NOT_FOUND || verb.equals("HEAD") || verb.equals("GET");
  }

  void on(LoggedAttempt attempt) {
    if (!attempt.isAnswered()) {
      attempt.status = status;
    }
    // The code is more than the reason of the status, which the headers have.
    if (error != null && attempt.status == status) {
      attempt.error = error;
    }
    if (attempt.requestId == null) {
      attempt.requestId = requestId;
    }
  }
}
