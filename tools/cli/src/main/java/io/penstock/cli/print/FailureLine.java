/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import io.penstock.analyze.input.FileFailure;
import java.net.BindException;
import java.nio.file.FileSystemException;

/** Formats failures for a person at a terminal: one line, no stack trace. */
public final class FailureLine {
  private FailureLine() {}

  public static String text(Throwable failure) {
    if (failure.getCause() instanceof BindException) {
      return failure.getMessage() + ". Choose another --port.";
    }
    if (failure instanceof FileSystemException file) {
      return file.getFile() + ": " + FileFailure.why(file);
    }
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message;
  }
}
