/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import io.penstock.s3model.Latency;
import java.time.Duration;
import java.util.List;

/**
 * The parameters of the modelled S3.
 *
 * @param writes per second that a partition admits
 * @param burst seconds of unused rate that a partition keeps
 * @param phi tokens that a rejected request costs
 * @param completeCost tokens that a CompleteMultipartUpload costs; every other request costs 1
 * @param frontEnds number of front ends that share a partition's tokens without coordination
 * @param prefixes number of prefixes that hold the job's files
 * @param apart whether each prefix is a partition of its own
 * @param hotShare share of the files in the first prefix; the other prefixes share the rest
 * @param splits times at which each partition splits in two
 * @param coldShare share of the full rates that is available at first
 * @param warmAfter time at which the full rates are available
 */
public record StoreSpec(
    double writes,
    double reads,
    double burst,
    double phi,
    double completeCost,
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
  private static final int COST_MOST = 20;
  private static final int SPLITS_MOST = 8;

  public StoreSpec {
    splits = List.copyOf(splits);
    if (!(writes > 0) || !(reads > 0) || !(burst > 0)) {
      throw new IllegalArgumentException("rates and burst must be more than 0");
    }
    if (!(phi >= 0 && phi <= 1)) {
      throw new IllegalArgumentException("a rejection costs from 0 to 1 of a token");
    }
    if (!(completeCost >= 1 && completeCost <= COST_MOST)) {
      throw new IllegalArgumentException("a CompleteMultipartUpload costs from 1 to 20 tokens");
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
