/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Explains why a file cannot be used. Java's own messages often contain only the file's name. */
public final class FileFailure {
  private FileFailure() {}

  public static String why(FileSystemException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    } else if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    } else if (failure instanceof FileAlreadyExistsException) {
      return "it is a file, not a directory";
    } else if (failure instanceof NotDirectoryException) {
      return "it is not a directory";
    } else if (failure instanceof FileSystemLoopException) {
      return "it is a loop of links";
    }
    String reason = failure.getReason();
    return reason == null || reason.isBlank() ? failure.getClass().getSimpleName() : reason;
  }
}
