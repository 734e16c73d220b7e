/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file that may be a log, on a local disk or in a bucket. It is safe for use by several threads.
 */
public interface LogSource {
  /** Returns the path or URL of the file, as a user would write it. */
  String name();

  long sizeBytes();

  /** Returns the time of the last change, or another text that changes with the content. */
  String version();

  /**
   * Returns the reason why the file cannot be read, if it is known without trying; otherwise empty.
   */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /** Returns a value that is equal for two names of one file, as far as these can be told. */
  default Object identity() {
    return name();
  }

  /**
   * Opens the file at a position.
   *
   * @param position in bytes, at most the size of the file
   */
  InputStream open(long position) throws IOException;

  /** Returns the bytes of a file of less than 2 GiB; fewer than its size if it became shorter. */
  default byte[] read() throws IOException {
    try (InputStream in = open(0)) {
      byte[] bytes = new byte[(int) sizeBytes()];
      int count = in.readNBytes(bytes, 0, bytes.length);
      return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
    }
  }
}
