/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import java.time.Duration;
import java.util.List;

/**
 * The rule by which S3 divides keys into partitions, and the rates of a partition.
 *
 * @param depth number of leading key segments, separated by slashes, that form a partition together
 *     with the bucket
 * @param prefixes prefixes with a partition of their own; the longest matching prefix takes
 *     precedence over depth
 * @param burstSeconds seconds of the rate that can be saved up
 * @param growth changes of a partition's rate under load
 * @param rejectionCost tokens that a rejected request takes: rejecting also costs work in S3's
 *     front ends
 */
public record ThrottleRule(
    int depth,
    List<String> prefixes,
    double writesPerSecond,
    double readsPerSecond,
    double burstSeconds,
    double rejectionCost,
    Growth growth) {
  /**
   * The way in which S3 adapts to load. A partition that is overloaded for some time is split,
   * which doubles the total rate of its keys. The load is assumed to be spread evenly over the
   * keys.
   *
   * @param start share of the full rates that a partition has at first; less than 1 is a cold
   *     prefix
   * @param after duration of overload before a split, with rejections in every second; zero means
   *     never
   * @param times largest number of splits
   */
  public record Growth(double start, Duration after, int times) {
    public static final Growth NONE = new Growth(1, Duration.ZERO, 0);

    public Growth {
      if (!(start > 0 && start <= 1) || after.isNegative() || times < 0 || times > 30) {
        throw new IllegalArgumentException(
            "need 0 < start <= 1, no negative time and 0 to 30 splits, got %s, %s, %d"
                .formatted(start, after, times));
      }
    }
  }

  public ThrottleRule {
    prefixes = List.copyOf(prefixes);
    if (depth < 0 || writesPerSecond <= 0 || readsPerSecond <= 0) {
      throw new IllegalArgumentException(
          "need depth >= 0 and rates > 0, got depth %d, %s writes/s, %s reads/s"
              .formatted(depth, writesPerSecond, readsPerSecond));
    }
    if (!(burstSeconds > 0) || !(rejectionCost >= 0 && rejectionCost <= 1)) {
      throw new IllegalArgumentException(
          "need burst > 0 and 0 <= rejection cost <= 1, got %s s, %s"
              .formatted(burstSeconds, rejectionCost));
    }
  }

  /**
   * Returns the rule that S3 documents, with one partition for each bucket. The burst and the
   * rejection cost are fitted to published runs.
   */
  public static ThrottleRule ofS3() {
    return new ThrottleRule(0, List.of(), 3_500, 5_500, 0.25, 0.5, Growth.NONE);
  }

  public ThrottleRule rates(double writes, double reads) {
    return new ThrottleRule(depth, prefixes, writes, reads, burstSeconds, rejectionCost, growth);
  }

  public ThrottleRule byDepth(int pieces) {
    return new ThrottleRule(
        pieces, prefixes, writesPerSecond, readsPerSecond, burstSeconds, rejectionCost, growth);
  }

  public ThrottleRule byPrefixes(List<String> listed) {
    return new ThrottleRule(
        depth, listed, writesPerSecond, readsPerSecond, burstSeconds, rejectionCost, growth);
  }

  public ThrottleRule burst(double seconds) {
    return new ThrottleRule(
        depth, prefixes, writesPerSecond, readsPerSecond, seconds, rejectionCost, growth);
  }

  public ThrottleRule rejectionCost(double tokens) {
    return new ThrottleRule(
        depth, prefixes, writesPerSecond, readsPerSecond, burstSeconds, tokens, growth);
  }

  public ThrottleRule growing(Growth how) {
    return new ThrottleRule(
        depth, prefixes, writesPerSecond, readsPerSecond, burstSeconds, rejectionCost, how);
  }

  /**
   * Returns the partition that serves the call. A listing counts in the partition of its prefix.
   */
  String partition(S3Call call) {
    String key = call.key().isEmpty() ? call.query().get("prefix") : call.key();
    String best = null;
    for (String prefix : prefixes) {
      if (key.startsWith(prefix) && (best == null || prefix.length() > best.length())) {
        best = prefix;
      }
    }
    if (best == null) {
      int end = 0;
      for (int i = 0; i < depth && key.indexOf('/', end) >= 0; i++) {
        end = key.indexOf('/', end) + 1;
      }
      best = key.substring(0, end);
    }
    return call.bucket() + "/" + best;
  }
}
