/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.html.HtmlReport;
import io.penstock.analyze.html.Page;
import io.penstock.cli.print.FailureLine;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a report to a file, either completely or not at all. */
public final class HtmlFile {
  private HtmlFile() {}

  /**
   * Checks the file before the logs are read, because reading may take long. Accepts null.
   *
   * @throws IllegalArgumentException when no report can be written to this file
   */
  public static void check(Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("--html=" + file + " is a directory; name a file in it");
    } else if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("--html=" + file + ": there is no directory " + directory);
    } else if (!Files.isWritable(directory)) {
      throw new IllegalArgumentException(
          "--html=" + file + ": the directory " + directory + " is not writable");
    }
  }

  /**
   * Writes a page and replaces an existing file.
   *
   * @throws IllegalArgumentException as {@link #check} does
   */
  public static void write(Path file, Page page) throws IOException {
    check(file);
    Path part = file.toAbsolutePath().resolveSibling(file.getFileName() + ".part");
    // Deletes the file when the process ends before the finally block can delete it.
    part.toFile().deleteOnExit();
    try {
      try (Writer out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        HtmlReport.write(page, out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IOException(
          "--html=%s cannot be written: %s".formatted(file, FailureLine.text(e)), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
