/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A file that may be a log, on a disk or in a bucket. Usable by several threads. */
public interface LogSource {
  /** Its path or address, as people would write it. */
  String name();

  long sizeBytes();

  /** Returns when it was last changed, or another text that changes with its content. */
  String version();

  /** Returns why it cannot be read, as far as that is known without trying; empty when it can. */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /**
   * Reads it from a place on.
   *
   * @param position in bytes, at most its size
   */
  InputStream open(long position) throws IOException;
}
