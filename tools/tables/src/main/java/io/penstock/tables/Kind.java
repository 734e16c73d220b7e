/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

/** The kinds of a column's values: how engines store them and how they are written for people. */
public enum Kind {
  TEXT("VARCHAR"),
  /** A whole number of things. */
  COUNT("BIGINT"),
  BYTES("BIGINT"),
  /** Things a second. */
  RATE("DOUBLE"),
  /** Milliseconds, with a fraction. */
  MILLIS("DOUBLE"),
  SECONDS("DOUBLE"),
  /** 0 to 100, may be more where shares of growth are meant. */
  PERCENT("DOUBLE"),
  /** A plain number with two digits. */
  NUMBER("DOUBLE"),
  DOLLARS("DOUBLE"),
  /** An instant, UTC. */
  TIME("TIMESTAMP"),
  FLAG("BOOLEAN");

  private final String sqlType;

  Kind(String sqlType) {
    this.sqlType = sqlType;
  }

  /** The type in DuckDB; Spark knows the same names, but for VARCHAR, which is STRING there. */
  public String sqlType() {
    return sqlType;
  }
}
