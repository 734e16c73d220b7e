/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.engine.EngineChoice;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The options for reading logs.
 *
 * @param cache the directory that keeps the data for the next run; if it is empty, nothing is kept
 * @param memoryMiB the memory limit of the embedded engine, in addition to Java's memory
 * @param threads the most threads that the embedded engine uses
 * @param elsewhere an engine to use instead of the embedded one; then nothing is kept
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

  /** Creates options for the embedded engine. */
  public LogOptions(Optional<Path> cache, int memoryMiB, int threads, Filter filter) {
    this(cache, memoryMiB, threads, filter, Optional.empty());
  }
}
