/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.engine.EngineChoice;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The options by which logs are read.
 *
 * @param cache where what was read is kept for the next time; none keeps nothing
 * @param memoryMiB most memory of the embedded engine, beside that of Java
 * @param threads most threads of the embedded engine
 * @param elsewhere another engine than the embedded one; nothing is kept then
 */
public record LogOptions(
    Optional<Path> cache,
    int memoryMiB,
    int threads,
    Filter filter,
    Optional<EngineChoice> elsewhere) {
  public LogOptions {
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(elsewhere, "elsewhere");
    if (cache.isPresent() && elsewhere.isPresent()) {
      throw new IllegalArgumentException("only the embedded engine keeps what it read");
    }
    if (memoryMiB < 100 || threads < 1) {
      throw new IllegalArgumentException(
          "needs 100 MiB and a thread at least, got %d and %d".formatted(memoryMiB, threads));
    }
  }

  /** The options of the embedded engine. */
  public LogOptions(Optional<Path> cache, int memoryMiB, int threads, Filter filter) {
    this(cache, memoryMiB, threads, filter, Optional.empty());
  }
}
