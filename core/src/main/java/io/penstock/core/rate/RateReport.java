/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.io.Serializable;
import java.util.List;

/**
 * The counts of one executor in a bucket and kind of traffic since its last report.
 *
 * @param partitions one entry for each partition that it knows
 * @param prefixes answers by directory-like prefix, while there is throttling to be located
 */
public record RateReport(List<Seen> partitions, List<Seen> prefixes) implements Serializable {
  private static final long serialVersionUID = 1L;

  public RateReport {
    partitions = List.copyOf(partitions);
    prefixes = List.copyOf(prefixes);
  }

  /** Returns true if anything happened. */
  public boolean isWorthSending() {
    return partitions.stream()
        .anyMatch(seen -> seen.ok() > 0 || seen.throttled() > 0 || seen.waiting() > 0);
  }

  /**
   * Answers, weighed as the store counts them.
   *
   * @param waiting requests that waited for a permit at the end
   */
  public record Seen(String prefix, double ok, double throttled, int waiting)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
