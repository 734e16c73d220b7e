/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import java.io.IOException;

/** Thrown when an engine rejected a query or could not finish it. */
public final class QueryFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  public QueryFailedException(String sql, Exception cause) {
    super(firstLine(cause) + "\nin the query:\n" + sql, cause);
  }

  private static String firstLine(Exception cause) {
    return String.valueOf(cause.getMessage())
        .lines()
        .limit(3)
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }
}
