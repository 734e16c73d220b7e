/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the cause of an executor's failure in the exception that Spark throws on the driver. */
final class SparkFailure {
  /** The message of a failed stage quotes the exception of its last task. */
  private static final Pattern QUOTED =
      Pattern.compile("\\(executor [^\n]*\\): (?:java\\.io\\.\\w*IOException: )?([^\n]+)");

  private SparkFailure() {}

  static String reason(Throwable failure) {
    Throwable deepest = failure;
    String quoted = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      deepest = cause;
      if (cause instanceof UncheckedIOException unchecked) {
        return unchecked.getCause().getMessage();
      }
      if (cause instanceof IOException && !cause.getClass().getName().contains("spark")) {
        return String.valueOf(cause.getMessage());
      }
      Matcher matcher = QUOTED.matcher(String.valueOf(cause.getMessage()));
      if (matcher.find()) {
        quoted = matcher.group(1);
      }
    }
    return quoted != null
        ? quoted
        : String.valueOf(deepest.getMessage()).lines().findFirst().orElse("");
  }
}
