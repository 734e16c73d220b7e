/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.Optional;

/** A sort of log that holds requests: how it is known by its content, and how it is read. */
public interface LogFormat {
  /** Returns it as people call it, such as "S3 server access log". */
  String title();

  /**
   * Returns true if a file is of this format.
   *
   * @param head how it begins, unpacked; up to 256 KiB, and may end within a line
   */
  boolean matches(Head head);

  /** The format for one file, where its path says something that its content does not. */
  default LogFormat at(String path) {
    return this;
  }

  /** Returns what its readers told it beside requests, for {@link #learn} on another machine. */
  default Optional<Serializable> learned() {
    return Optional.empty();
  }

  /** Adds what the same format {@link #learned} on another machine. */
  default void learn(Serializable learned) {
    throw new IllegalArgumentException(title() + " has nothing to learn");
  }

  /** Reads its lines one by one; empty when its records are not lines. */
  Optional<LineParser> lines();

  /**
   * Reads a whole file.
   *
   * @param text unpacked; closed with the reader
   * @throws IllegalStateException when {@link #lines} is to be used
   */
  RequestReader open(InputStream text, ParseStatistics statistics) throws IOException;
}
