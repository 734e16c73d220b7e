/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A log file with its detected format and compression.
 *
 * @param number the file's index among the logs that are read together, from 0
 * @param packings the compressions, outermost first; empty for an uncompressed file
 */
public record LogFile(int number, LogSource source, LogFormat format, List<Packing> packings) {
  public LogFile {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(format, "format");
    packings = List.copyOf(packings);
  }

  /** Returns true if several threads can read the file, each a part of it. */
  public boolean canBeCut() {
    return packings.isEmpty() && format.lines().isPresent();
  }

  /** Opens the file and decompresses its bytes. */
  Unpacked open() throws IOException {
    return Unpacked.open(source);
  }
}
