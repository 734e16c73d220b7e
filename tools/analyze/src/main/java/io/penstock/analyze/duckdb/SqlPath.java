/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Names files in DuckDB's SQL. */
final class SqlPath {
  private static final Pattern WILDCARD = Pattern.compile("[*?\\[]");

  private SqlPath() {}

  /** Returns the path as an SQL literal. */
  static String literal(Path file) {
    return "'" + file.toString().replace("'", "''") + "'";
  }

  /** Returns the rows of a Parquet file as a table. */
  static String parquet(Path file) {
    return "read_parquet(" + pattern(file) + ")";
  }

  /**
   * Returns the path as an SQL literal with its wildcards escaped, because DuckDB would expand
   * them.
   */
  static String pattern(Path file) {
    return literal(Path.of(WILDCARD.matcher(file.toString()).replaceAll("[$0]")));
  }
}
