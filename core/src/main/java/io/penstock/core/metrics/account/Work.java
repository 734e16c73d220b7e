/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import io.penstock.core.caller.Origin;

/**
 * What requests are summed by: the SQL query and the stage that they were made for.
 *
 * @param query number of the SQL query; {@link #NONE} outside a query
 * @param stage number of the stage; {@link #NONE} on the driver
 */
public record Work(long query, int stage) {
  public static final int NONE = -1;

  /** Stands for all queries and stages above a limit. */
  public static final Work REST = new Work(-2, -2);

  static Work of(Origin origin) {
    return new Work(origin.query().orElse(NONE), origin.stage().orElse(NONE));
  }
}
