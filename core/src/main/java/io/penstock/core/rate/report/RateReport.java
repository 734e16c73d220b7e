/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.report;

import java.io.Serializable;
import java.util.List;

/**
 * The counts of one executor, in one bucket and for one kind of traffic, since its last report.
 *
 * @param partitions one entry for each partition that the executor knows
 * @param prefixes answers by directory-like prefix, while the prefixes that are throttled are being
 *     located
 */
public record RateReport(List<Seen> partitions, List<Seen> prefixes) implements Serializable {
  private static final long serialVersionUID = 1L;

  public RateReport {
    partitions = List.copyOf(partitions);
    prefixes = List.copyOf(prefixes);
  }

  /** Returns true if there were answers, or requests wait. */
  public boolean isWorthSending() {
    return partitions.stream()
        .anyMatch(seen -> seen.ok() > 0 || seen.throttled() > 0 || seen.waiting() > 0);
  }

  /**
   * The answers of one prefix, weighted as the store counts them.
   *
   * @param prefix empty for the rest of the bucket
   * @param ok weight of the answers that were not throttled; a bulk delete weighs its keys
   * @param throttled weight of the throttled answers
   * @param waiting requests that waited for a permit when the report was made
   */
  public record Seen(String prefix, double ok, double throttled, int waiting)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
