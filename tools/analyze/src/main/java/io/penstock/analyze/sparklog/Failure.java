/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.List;

/** Says in one line, without secrets, what the events tell of a failure. */
final class Failure {
  private static final String TRACEBACK = "Traceback (most recent call last)";

  private Failure() {}

  /** Returns why a task failed; null when it did not fail. */
  static String ofTask(Event reason) {
    String kind = reason.text("Reason");
    if (kind == null || kind.equals("Success") || kind.equals("TaskKilled")) {
      return null;
    }
    return Redaction.label(
        switch (kind) {
          case "ExceptionFailure" ->
              simpleName(reason.text("Class Name")) + line(reason.text("Description"));
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

  private static String simpleName(String className) {
    return className == null ? "error" : className.substring(className.lastIndexOf('.') + 1);
  }
}
