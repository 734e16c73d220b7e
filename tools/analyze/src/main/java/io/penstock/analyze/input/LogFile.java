/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A log and what it was found to be.
 *
 * @param number its place among the logs that are read together, from 0
 * @param packings outermost first; none for a plain file
 */
public record LogFile(int number, LogSource source, LogFormat format, List<Packing> packings) {
  public LogFile {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(format, "format");
    packings = List.copyOf(packings);
  }

  /** Returns true if several threads can read it, each a part. */
  boolean canBeCut() {
    return packings.isEmpty() && format.lines().isPresent();
  }

  /** Its bytes, unpacked. */
  Unpacked open() throws IOException {
    return Unpacked.open(source.open(0));
  }
}
