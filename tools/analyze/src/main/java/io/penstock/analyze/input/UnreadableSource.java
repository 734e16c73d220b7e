/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** A thing among logs that cannot be read, so that it is shown and not passed over. */
record UnreadableSource(Path path, String why) implements LogSource {
  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long sizeBytes() {
    return 0;
  }

  /** Another one than that of the file once it can be read. */
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
