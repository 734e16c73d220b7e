/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The failed step and the operating system's reason. */
record MountFailure(Step step, String reason, boolean denied) {
  static MountFailure of(Step step, Exception e) {
    boolean denied = e instanceof AccessDeniedException || text(e).contains("Permission denied");
    return new MountFailure(step, denied ? "Permission denied" : text(e), denied);
  }

  private static String text(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "A file has that name";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
  }
}
