/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file among the logs that cannot be read. It is reported to the user instead of being skipped.
 */
record UnreadableSource(Path path, String why) implements LogSource {
  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long sizeBytes() {
    return 0;
  }

  /** Returns a version that differs from the file's version once the file can be read. */
  @Override
  public String version() {
    return "unreadable: " + why;
  }

  @Override
  public Optional<String> trouble() {
    return Optional.of(why);
  }

  @Override
  public InputStream open(long position) throws IOException {
    throw new IOException(path + ": " + why);
  }
}
