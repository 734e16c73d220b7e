/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

/**
 * The kinds of a column's values. They determine how engines store the values and how the values
 * are printed.
 */
public enum Kind {
  TEXT("VARCHAR"),
  /** A whole number of items. */
  COUNT("BIGINT"),
  BYTES("BIGINT"),
  /** Items per second. */
  RATE("DOUBLE"),
  /** Milliseconds, with a fraction. */
  MILLIS("DOUBLE"),
  SECONDS("DOUBLE"),
  /** A percentage from 0 to 100. It may be larger when it measures growth. */
  PERCENT("DOUBLE"),
  /** A number printed with two digits after the decimal point. */
  NUMBER("DOUBLE"),
  DOLLARS("DOUBLE"),
  /** An instant, UTC. */
  TIME("TIMESTAMP"),
  FLAG("BOOLEAN");

  private final String sqlType;

  Kind(String sqlType) {
    this.sqlType = sqlType;
  }

  /**
   * Returns the type in DuckDB. Spark has the same names, except that VARCHAR is STRING in Spark.
   */
  public String sqlType() {
    return sqlType;
  }
}
