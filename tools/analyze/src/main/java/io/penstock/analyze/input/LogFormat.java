/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.Optional;

/** A format of logs that contain requests. It detects its files by their content and reads them. */
public interface LogFormat {
  /** Returns the usual name of the format, such as "S3 server access log". */
  String title();

  /**
   * Returns true if a file has this format. Several threads may ask at the same time.
   *
   * @param head the decompressed beginning of the file, up to 256 KiB; it may end within a line
   */
  boolean matches(Head head);

  /**
   * Returns the format for one file. Some formats use facts from the path that the content lacks.
   */
  default LogFormat at(String path) {
    return this;
  }

  /**
   * Returns the facts other than requests that the format's readers found, so that {@link #learn}
   * can add them on another machine.
   */
  default Optional<Serializable> learned() {
    return Optional.empty();
  }

  /** Adds the facts that the same format returned from {@link #learned} on another machine. */
  default void learn(Serializable learned) {
    throw new IllegalArgumentException(title() + " has nothing to learn");
  }

  /**
   * Returns a new parser for single lines, for one thread; empty when the format's records are not
   * lines.
   */
  default Optional<LineParser> lines() {
    return Optional.empty();
  }

  /**
   * Reads a whole file.
   *
   * @param text the decompressed text; closed together with the reader
   * @throws IllegalStateException when {@link #lines} must be used instead
   */
  default RequestReader open(InputStream text, ParseStatistics statistics) throws IOException {
    throw new IllegalStateException(title() + " is read line by line");
  }
}
