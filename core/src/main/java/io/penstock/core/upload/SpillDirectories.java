/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The directories that hold a process's buffer files. Safe for many threads. */
final class SpillDirectories {
  private final Map<Path, SpillDirectory> used = new HashMap<>();

  /**
   * Creates a file for a buffer. The first use of a directory creates it and deletes left-over
   * files.
   */
  Path newFile(Path directory) throws IOException {
    return of(directory).newFile();
  }

  private synchronized SpillDirectory of(Path directory) throws IOException {
    SpillDirectory known = used.get(directory);
    if (known == null || !Files.isDirectory(directory)) {
      Files.createDirectories(directory);
      known = SpillDirectory.own(directory, SpillDirectory.hostName());
      known.sweep();
      used.put(directory, known);
    }
    return known;
  }
}
