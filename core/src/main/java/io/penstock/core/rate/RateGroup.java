/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.Report.Seen;
import java.time.Duration;
import java.util.List;

/**
 * One process's view of the partitions of a bucket for one kind of traffic: which of them a key
 * belongs to, and how fast each may be asked. All keys are taken to be in one partition until what
 * is throttled tells them apart. A plain object, safe for use by many threads.
 */
public final class RateGroup {
  private final Pacer root;

  /**
   * @param executors that share the bucket, as far as it is known; at least 1
   */
  public RateGroup(RateConfig config, Traffic traffic, int executors) {
    this.root =
        switch (config.policy()) {
          case ADAPTIVE -> new AdaptivePacer(floor(config, traffic, executors));
          case AIMD -> new AimdPacer(config.aimd(), traffic);
          case BACKOFF, NONE -> new OpenPacer();
        };
  }

  static double floor(RateConfig config, Traffic traffic, int executors) {
    return Math.max(config.minRate(), traffic.documentedLimit() / 4 / executors);
  }

  /** The pacer of the key's partition; ask anew for each request. */
  public Pacer pacerOf(String key) {
    return root;
  }

  /** What was seen since the last report; empty for policies that nobody coordinates. */
  public Report report(long nowNanos) {
    return root instanceof AdaptivePacer pacer
        ? new Report(List.of(pacer.report("")), List.of())
        : new Report(List.of(), List.<Seen>of());
  }

  /** Follows the driver's lease for so long. */
  public void follow(Lease lease, long nowNanos, Duration validFor) {
    if (root instanceof AdaptivePacer pacer) {
      lease.shares().stream()
          .filter(share -> share.prefix().isEmpty())
          .forEach(share -> pacer.follow(share, nowNanos, nowNanos + validFor.toNanos()));
    }
  }
}
