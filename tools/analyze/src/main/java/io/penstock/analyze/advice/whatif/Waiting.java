/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.tables.Table;
import java.util.Locale;

/**
 * What it cost that requests waited: the time of the threads that waited, as time of cores. It is
 * an upper limit, because a task may compute while one of its threads waits.
 *
 * @param table {@code cause} text, {@code requests} count, {@code waited_ms} millis
 */
public record Waiting(Table table) {
  /** The query behind this. */
  public static final Analysis QUERY = Analysis.named(Waiting.class, "waiting.sql");

  private static final double MILLIS_AN_HOUR = 3.6e6;

  /** A cost of less than a cent is not worth a sentence. */
  private static final double WORTH_SAYING = 0.01;

  /** The reasons for which requests wait. */
  public enum Cause {
    /** The store throttled the request, until it was served. */
    THROTTLED("cores that waited for throttled requests"),
    /** Other failures, until the request succeeded or was given up. */
    FAILED("cores that waited for retries after failures"),
    /** Penstock's rate control. */
    PERMITS("cores that waited because of rate control"),
    /** Slow requests, beyond the p99 of their kind. */
    STRAGGLERS("cores that waited for stragglers (slower than p99)");

    private final String words;

    Cause(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  public double coreHours(Cause cause) {
    return table.isEmpty() ? 0 : table.number(row(cause), "waited_ms") / MILLIS_AN_HOUR;
  }

  /** Returns the cost in dollars. */
  public double cost(Cause cause, Prices prices) {
    return coreHours(cause) * prices.coreHour();
  }

  /** Returns a sentence about the cost; empty if it is less than a cent. */
  public String sentence(Cause cause, Prices prices) {
    double cost = cost(cause, prices);
    return cost < WORTH_SAYING
        ? ""
        : String.format(
            Locale.ROOT,
            "Cores waited up to %,.1f hours for such requests ($%,.2f).",
            coreHours(cause),
            cost);
  }

  private int row(Cause cause) {
    return table.find("cause", cause.name().toLowerCase(Locale.ROOT)).orElseThrow();
  }
}
