/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.tables.Table;
import java.util.OptionalDouble;

/**
 * The facts about throttling: its amount, its duration, and the origin of the load.
 *
 * @param ownPercent the job's share of the requests in seconds with throttled answers; empty if the
 *     logs do not show other requesters
 * @param owner the requester that is assumed to be the job
 */
record Load(
    long requests,
    long writes,
    long throttled,
    long throttledWrites,
    long throttledSeconds,
    double peakWrites,
    double capacityWrites,
    OptionalDouble ownPercent,
    String owner) {

  /** The name of a requester that the logs do not name. */
  static final String UNKNOWN = "unknown";

  static Load of(Table load, Table sharers, java.util.Optional<String> own) {
    int owner = owner(sharers, own);
    return new Load(
        load.count(0, "requests"),
        load.count(0, "writes"),
        load.count(0, "throttled"),
        load.count(0, "throttled_writes"),
        load.count(0, "throttled_seconds"),
        load.number(0, "peak_writes"),
        load.number(0, "capacity_writes"),
        owner < 0 ? OptionalDouble.empty() : share(sharers, owner),
        owner < 0 ? "" : sharers.text(owner, "who"));
  }

  /**
   * Returns the row of the first requester whose name contains the given text, or, if none is
   * given, of the one that sent most; -1 if there is no such row.
   */
  private static int owner(Table sharers, java.util.Optional<String> own) {
    for (int row = 0; row < sharers.rows().size(); row++) {
      String who = sharers.text(row, "who");
      if (!who.isEmpty() && !who.equals(UNKNOWN) && own.map(who::contains).orElse(true)) {
        return row;
      }
    }
    return -1;
  }

  private static OptionalDouble share(Table sharers, int owner) {
    double all = sharers.sum("in_throttled_seconds");
    return all == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * sharers.count(owner, "in_throttled_seconds") / all);
  }

  /** Returns the throttled share of the writes, which is the share in published tables. */
  double throttledWritesPercent() {
    return writes == 0 ? 0 : 100.0 * throttledWrites / writes;
  }

  double throttledPercent() {
    return requests == 0 ? 0 : 100.0 * throttled / requests;
  }
}
