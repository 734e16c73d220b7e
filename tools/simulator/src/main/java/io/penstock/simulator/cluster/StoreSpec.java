/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import io.penstock.s3model.Latency;
import java.time.Duration;
import java.util.List;

/**
 * The S3 that is modelled.
 *
 * @param writes a second that a partition takes
 * @param burst seconds of unused rate that a partition keeps
 * @param phi tokens that a rejected request costs
 * @param frontEnds that share a partition's tokens without talking to each other
 * @param prefixes that the job's files are in
 * @param apart whether each prefix is a partition of its own
 * @param hotShare share of the files that is in the first prefix; the others share the rest
 * @param splits when each partition becomes two
 * @param coldShare share of the rates that there is at first
 * @param warmAfter when the whole of the rates is there
 */
public record StoreSpec(
    double writes,
    double reads,
    double burst,
    double phi,
    int frontEnds,
    int prefixes,
    boolean apart,
    double hotShare,
    List<Duration> splits,
    double coldShare,
    Duration warmAfter,
    Latency latency,
    StormSpec storm) {
  private static final int MOST = 10_000;
  private static final int SPLITS_MOST = 8;

  public StoreSpec {
    splits = List.copyOf(splits);
    if (!(writes > 0) || !(reads > 0) || !(burst > 0)) {
      throw new IllegalArgumentException("rates and burst must be more than 0");
    }
    if (!(phi >= 0 && phi <= 1)) {
      throw new IllegalArgumentException("a rejection costs from 0 to 1 of a token");
    }
    if (frontEnds < 1 || prefixes < 1 || frontEnds > MOST || prefixes > MOST) {
      throw new IllegalArgumentException("need from 1 to 10,000 front ends and prefixes");
    }
    if (coldShare < 1 && warmAfter.isZero()) {
      throw new IllegalArgumentException("a cold partition needs time to warm up");
    }
    if (splits.size() > SPLITS_MOST) {
      throw new IllegalArgumentException("need at most 8 splits: they make 256 partitions of one");
    }
    if (!(hotShare >= 0 && hotShare <= 1) || !(coldShare > 0 && coldShare <= 1)) {
      throw new IllegalArgumentException("shares must be from 0 to 1, and something must be warm");
    }
  }
}
