/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.weather;

import io.penstock.sim.api.S3Call;
import java.util.List;

/**
 * How S3 cuts keys into partitions and what each can take.
 *
 * @param depth a partition is a bucket and so many leading pieces of the key between slashes
 * @param prefixes partitions of their own; the longest that the key starts with wins over depth
 * @param burstSeconds how much of the rate may be saved up
 * @param rejectionCost what a rejected request takes of the rate: S3's front ends work for it too
 */
public record ThrottleRule(
    int depth,
    List<String> prefixes,
    double writesPerSecond,
    double readsPerSecond,
    double burstSeconds,
    double rejectionCost) {
  public ThrottleRule {
    prefixes = List.copyOf(prefixes);
    if (depth < 0 || writesPerSecond <= 0 || readsPerSecond <= 0) {
      throw new IllegalArgumentException(
          "need depth >= 0 and rates > 0, got depth %d, %s writes/s, %s reads/s"
              .formatted(depth, writesPerSecond, readsPerSecond));
    }
    if (burstSeconds <= 0 || rejectionCost < 0 || rejectionCost > 1) {
      throw new IllegalArgumentException(
          "need burst > 0 and 0 <= rejection cost <= 1, got %s s, %s"
              .formatted(burstSeconds, rejectionCost));
    }
  }

  /** As S3 documents it, one partition a bucket; burst and rejection cost fit published runs. */
  public static ThrottleRule ofS3() {
    return new ThrottleRule(0, List.of(), 3_500, 5_500, 0.25, 0.5);
  }

  public ThrottleRule rates(double writes, double reads) {
    return new ThrottleRule(depth, prefixes, writes, reads, burstSeconds, rejectionCost);
  }

  public ThrottleRule byDepth(int pieces) {
    return new ThrottleRule(
        pieces, prefixes, writesPerSecond, readsPerSecond, burstSeconds, rejectionCost);
  }

  public ThrottleRule byPrefixes(List<String> listed) {
    return new ThrottleRule(
        depth, listed, writesPerSecond, readsPerSecond, burstSeconds, rejectionCost);
  }

  /** The partition that serves the call; a listing counts where its prefix is. */
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
