/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.report.RateReport.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts answers by directory-like prefix, to find the prefixes that are not in the partition that
 * throttles. S3 does not publish its partitions. But a prefix that should by chance have had many
 * throttled answers by now, and had none, is in another partition. Not safe for use by many
 * threads.
 */
public final class PrefixCounts {
  /** The time between two reviews. Each executor reports twice in this time, by default. */
  public static final double REVIEW_SECONDS = 1;

  /** Limits the memory. The keys of further partitions are paced with the rest of the bucket. */
  public static final int PARTITIONS_MAX = 200;

  /** Limits the memory: each prefix needs at most a kilobyte. */
  private static final int PREFIXES_MAX = 1_000;

  /**
   * Throttled answers that a prefix must be expected to get before it is judged. If 10 are
   * expected, the probability that it gets none by chance is 1 in 20,000.
   */
  private static final double EXPECTED_MIN = 10;

  /** One throttled answer may come from a single front-end server of S3. */
  private static final double SEEN_MAX = 1;

  /** With this factor, the counts come mostly from the last five reviews. */
  private static final double DECAY = 0.8;

  /** One answer has decayed to less than this after 14 reviews. */
  private static final double FORGOTTEN = 0.05;

  private final Map<String, double[]> counts = new HashMap<>();

  /**
   * The changes that a review asks for.
   *
   * @param split prefixes that get a partition of their own
   * @param merge prefixes that lose their own partition and belong to the rest of the bucket again
   */
  public record Verdict(List<String> split, List<String> merge) {}

  static String prefixOf(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  public void add(String prefix, double ok, double throttled) {
    double[] count = counts.get(prefix);
    if (count == null) {
      if (counts.size() >= PREFIXES_MAX) {
        return;
      }
      count = new double[2];
      counts.put(prefix, count);
    }
    count[0] += ok;
    count[1] += throttled;
  }

  void clear() {
    counts.clear();
  }

  int size() {
    return counts.size();
  }

  /** Returns all counts and removes them. */
  List<Seen> drain() {
    List<Seen> seen = new ArrayList<>();
    counts.forEach((prefix, count) -> seen.add(new Seen(prefix, count[0], count[1], 0)));
    seen.sort(Comparator.comparing(Seen::prefix));
    counts.clear();
    return seen;
  }

  /**
   * Judges by the counts so far, and then lowers all counts so that old answers lose weight.
   *
   * @param known the prefixes that have a partition of their own now
   */
  public Verdict review(List<String> known) {
    double[] rest = new double[2];
    TreeMap<String, double[]> byPrefix = new TreeMap<>(BY_LENGTH);
    counts.forEach(
        (prefix, count) -> {
          if (covering(known, prefix).isEmpty()) {
            plus(rest, count);
          }
          for (int end = prefix.indexOf('/'); end >= 0; end = prefix.indexOf('/', end + 1)) {
            plus(byPrefix.computeIfAbsent(prefix.substring(0, end + 1), p -> new double[2]), count);
          }
        });
    double ratio = rest[1] / Math.max(1, rest[0] + rest[1]);
    List<String> split = new ArrayList<>();
    List<String> merge = new ArrayList<>();
    byPrefix.forEach(
        (prefix, count) -> {
          double expected = (count[0] + count[1]) * ratio;
          if (expected < EXPECTED_MIN) {
            return;
          }
          boolean isKnown = known.contains(prefix);
          if (isKnown && count[1] >= expected / 2) {
            merge.add(prefix);
          } else if (count[1] <= SEEN_MAX
              && covering(known, prefix).isEmpty()
              && covering(split, prefix).isEmpty()) {
            split.add(prefix);
          }
        });
    fade();
    return new Verdict(split, merge);
  }

  private void fade() {
    counts
        .values()
        .removeIf(
            count -> {
              count[0] *= DECAY;
              count[1] *= DECAY;
              return count[0] + count[1] < FORGOTTEN;
            });
  }

  /** Returns the longest of the prefixes that the key starts with; empty if there is none. */
  static String covering(List<String> prefixes, String key) {
    String best = "";
    for (String prefix : prefixes) {
      if (prefix.length() > best.length() && key.startsWith(prefix)) {
        best = prefix;
      }
    }
    return best;
  }

  private static void plus(double[] sum, double[] count) {
    sum[0] += count[0];
    sum[1] += count[1];
  }

  private static final Comparator<String> BY_LENGTH =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
}
