/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the user's log lines about the rates. There is a line only when pacing begins and when it
 * ends.
 */
final class RateNews {
  private Set<String> paced = Set.of();

  /** Returns log lines about the rates whose pacing began or ended since the last call. */
  List<String> of(Map<GroupId, Map<String, Double>> rates) {
    Set<String> now = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    List<String> lines = new ArrayList<>();
    rates.forEach(
        (id, partitions) ->
            partitions.forEach(
                (prefix, rate) -> {
                  String what = what(id, prefix);
                  known.add(what);
                  if (rate < Double.POSITIVE_INFINITY) {
                    now.add(what);
                    if (!paced.contains(what)) {
                      lines.add(begins(what, rate));
                    }
                  }
                }));
    for (String what : paced) {
      // A partition that was joined to another is skipped: its pacing continues under the other's
      // name.
      if (known.contains(what) && !now.contains(what)) {
        lines.add(what + " are no longer paced");
      }
    }
    paced = now;
    return lines;
  }

  private static String begins(String what, double rate) {
    return String.format(
        Locale.ROOT,
        "S3 throttles: %s are paced from now on, at first to %.1f a second for the whole"
            + " application. See docs/rate-control.md",
        what,
        rate);
  }

  private static String what(GroupId id, String prefix) {
    String kind = id.traffic() == Traffic.WRITE ? "writes" : "reads";
    return "%s of s3://%s/%s".formatted(kind, id.bucket(), prefix);
  }
}
