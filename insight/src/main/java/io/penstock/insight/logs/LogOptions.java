/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How logs are read.
 *
 * @param cache where what was read is kept for the next time; none keeps nothing
 * @param memoryMiB most memory of the engine, beside that of Java
 */
public record LogOptions(Optional<Path> cache, int memoryMiB, int threads, Filter filter) {
  public LogOptions {
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(filter, "filter");
    if (memoryMiB < 100 || threads < 1) {
      throw new IllegalArgumentException(
          "needs 100 MiB and a thread at least, got %d and %d".formatted(memoryMiB, threads));
    }
  }
}
