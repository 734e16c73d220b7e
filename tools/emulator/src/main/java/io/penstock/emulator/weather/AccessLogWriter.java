/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends whole lines to a file. Safe to call from any thread. */
final class AccessLogWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLogWriter.class);

  private final Path file;
  private final Writer out;
  private boolean isBroken;

  AccessLogWriter(Path file) throws IOException {
    this.file = file;
    // Not a channel: an interrupted thread would close a channel for all threads.
    this.out =
        new BufferedWriter(
            new OutputStreamWriter(
                new FileOutputStream(file.toFile(), true), StandardCharsets.UTF_8));
  }

  /**
   * Appends a line. The first write error, such as a full disk, ends the log with one warning.
   * Requests continue.
   */
  synchronized void append(String line) {
    if (isBroken) {
      return;
    }
    try {
      out.write(line + "\n");
      out.flush();
    } catch (IOException e) {
      isBroken = true;
      LOG.warn("the access log {} ends here: {}", file, e.toString());
    }
  }

  @Override
  public synchronized void close() {
    try {
      isBroken = true;
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close access log " + file, e);
    }
  }
}
