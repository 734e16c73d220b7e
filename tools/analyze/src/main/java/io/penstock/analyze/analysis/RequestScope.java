/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.QueryEngine;
import java.io.IOException;

/**
 * Chooses the requests that queries see, among those that the filter of the command let through.
 */
public final class RequestScope {
  /** The requests that queries see. */
  public static final String REQUESTS = "s3_requests";

  /** The requests that the filter let through. */
  public static final String FILTERED = "s3_filtered";

  /** The waits for permits that queries see. */
  public static final String WAITS = "s3_waits";

  /** The waits that the filter let through. */
  public static final String FILTERED_WAITS = "s3_filtered_waits";

  private RequestScope() {}

  /**
   * Lets queries see the filtered requests for which a condition is true, and what follows from
   * these. Names that were computed before keep their rows.
   */
  public static void narrow(QueryEngine engine, String condition) throws IOException {
    choose(engine, " where " + condition);
  }

  /** Lets queries see all filtered requests again. */
  public static void widen(QueryEngine engine) throws IOException {
    choose(engine, "");
  }

  private static void choose(QueryEngine engine, String where) throws IOException {
    engine.view(REQUESTS, "select * from " + FILTERED + where);
    engine.view(WAITS, "select * from " + FILTERED_WAITS + where);
    if (!(engine instanceof LazyRollups)) {
      for (String name : Rollups.names()) {
        Rollups.define(engine, name);
      }
    }
  }
}
