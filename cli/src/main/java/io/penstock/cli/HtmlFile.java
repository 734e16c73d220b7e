/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.insight.html.HtmlReport;
import io.penstock.insight.html.Page;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A report as a file, which is there whole or not at all. */
final class HtmlFile {
  private HtmlFile() {}

  /**
   * To be called before the work whose result is written.
   *
   * @throws IllegalArgumentException when the file is a directory, or its own is not there
   */
  static void check(Path file) {
    Path directory = directory(file);
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("--html=" + file + ": there is no directory " + directory);
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("--html=" + file + " is a directory; name a file in it");
    }
  }

  private static Path directory(Path file) {
    return file.toAbsolutePath().getParent();
  }

  /** Writes a page, over one that is there. */
  static void write(Path file, Page page) throws IOException {
    Path directory = directory(file);
    Path part = directory.resolve(file.getFileName() + ".part");
    try {
      try (Writer out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        HtmlReport.write(page, out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
