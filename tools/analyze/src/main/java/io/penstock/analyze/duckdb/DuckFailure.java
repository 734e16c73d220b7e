/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.engine.QueryFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Translates DuckDB's errors into messages that say what to do. An error that is a fault of our own
 * query keeps DuckDB's message.
 */
final class DuckFailure {
  private DuckFailure() {}

  static IOException of(String sql, SQLException failure, Path directory) {
    String text = String.valueOf(failure.getMessage());
    if (text.contains("No space left on device")) {
      return said("there is no space left on the disk of " + directory, failure);
    }
    if (text.contains("max_temp_directory_size") || text.contains("failed to offload")) {
      return said(
          "what does not fit in memory needs more disk than is left at "
              + directory
              + "; give more --memory, or a --cache on a larger disk",
          failure);
    }
    if (text.startsWith("Out of Memory Error")) {
      return said("the engine's memory does not do; give more with --memory", failure);
    }
    if (text.startsWith("IO Error") || text.contains("No files found")) {
      return said(
          "what was kept in %s cannot be read or written (%s); has something deleted it? Run again, or add --no-cache"
              .formatted(directory, text.lines().findFirst().orElse("")),
          failure);
    }
    return new QueryFailedException(sql, failure);
  }

  /** Returns the error for a directory that no longer exists. */
  static IOException gone(Path directory, IOException failure) {
    return said("something deleted %s meanwhile; run again".formatted(directory), failure);
  }

  private static IOException said(String text, Exception failure) {
    return new IOException(text, failure);
  }
}
