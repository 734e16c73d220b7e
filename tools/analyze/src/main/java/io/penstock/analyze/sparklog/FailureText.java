/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.util.List;
import java.util.Set;

/** Says in one line, without secrets, what the events tell of a failure. */
final class FailureText {
  private static final String TRACEBACK = "Traceback (most recent call last)";
  private static final String CAUSED_BY = "Caused by: ";

  /** The most characters of an error whose cause follows: the cause needs room too. */
  private static final int MAX_ERROR = 90;

  /** Tasks that run again because an executor took their output with it did not fail themselves. */
  private static final Set<String> NO_FAILURES = Set.of("Success", "TaskKilled", "Resubmitted");

  private FailureText() {}

  /** Returns why a task failed; null when it did not fail. */
  static String ofTask(SparkEvent reason) {
    String kind = reason.text("Reason");
    if (kind == null || NO_FAILURES.contains(kind)) {
      return null;
    }
    return Redaction.label(
        switch (kind) {
          case "ExceptionFailure" ->
              withCause(
                  simpleName(reason.text("Class Name")) + line(reason.text("Description")),
                  reason.text("Full Stack Trace"));
          case "ExecutorLostFailure" ->
              "executor " + reason.text("Executor ID") + " lost" + line(reason.text("Loss Reason"));
          case "FetchFailed" -> "shuffle could not be fetched" + line(reason.text("Message"));
          default -> kind;
        });
  }

  /** Returns why a job or a stage failed: the first line of its message, or null without one. */
  static String of(String message) {
    return message == null || message.isBlank() ? null : Redaction.label(first(message));
  }

  /** Returns ": " and the line of a message that tells most; empty without a message. */
  private static String line(String message) {
    if (message == null || message.isBlank()) {
      return "";
    }
    return ": " + (message.contains(TRACEBACK) ? lastOfTraceback(message) : first(message));
  }

  private static String first(String message) {
    return message.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
  }

  /** Returns the exception of Python, which its traceback ends with. */
  private static String lastOfTraceback(String message) {
    List<String> lines =
        message
            .substring(message.indexOf(TRACEBACK))
            .lines()
            .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
            .toList();
    return lines.get(lines.size() - 1);
  }

  /**
   * Adds the deepest cause, which tells more than that "the task failed while writing rows". The
   * error is shortened, so that both fit.
   */
  private static String withCause(String error, String trace) {
    if (trace == null || error.contains(TRACEBACK)) {
      return error;
    }
    String cause =
        trace
            .lines()
            .filter(line -> line.startsWith(CAUSED_BY))
            .reduce((first, last) -> last)
            .orElse("")
            .replace(CAUSED_BY, "");
    int colon = cause.indexOf(':');
    String text = colon < 0 ? cause : cause.substring(colon + 1).strip();
    boolean isTold =
        !text.isEmpty() && error.length() <= Redaction.MAX_LABEL && error.contains(text);
    if (cause.isEmpty() || isTold) {
      return error;
    }
    // A secret that is cut is no longer known as one.
    String whole = Redaction.label(error);
    String begin = whole.length() > MAX_ERROR ? Redaction.cut(whole, MAX_ERROR) + "…" : whole;
    return begin
        + "; caused by "
        + simpleName(colon < 0 ? cause : cause.substring(0, colon))
        + (text.isEmpty() ? "" : ": " + Redaction.label(text));
  }

  private static String simpleName(String className) {
    return className == null ? "error" : className.substring(className.lastIndexOf('.') + 1);
  }
}
