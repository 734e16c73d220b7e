/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.spark.ui.Report.Hedges;
import io.penstock.spark.ui.Report.RateRow;
import io.penstock.spark.ui.Report.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says in sentences what stands out in a report; what went wrong comes first. */
final class Findings {
  /** Begins each sentence about the present. */
  static final String RATE = "Rate control";

  private static final int RATES_MAX = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private Findings() {}

  static List<String> of(RequestSums total, List<RateRow> rates, List<Row> paths, Hedges hedges) {
    List<String> found = new ArrayList<>();
    if (total.requests() == 0) {
      return List.of("No request to S3 so far.");
    }
    if (total.failed() > 0) {
      found.add(
          "%s failed%s. Failures that may pass are tried again."
              .formatted(
                  shareOf(total.failed(), total),
                  most(paths, Comparator.comparingLong(row -> row.sums().failed()))));
    }
    if (total.throttled() > 0) {
      found.add(
          "S3 throttled %s%s."
              .formatted(
                  shareOf(total.throttled(), total),
                  most(paths, Comparator.comparingLong(row -> row.sums().throttled()))));
    }
    rates.stream()
        .filter(rate -> rate.perSecond() >= 0)
        .sorted(Comparator.comparingDouble(RateRow::perSecond))
        .limit(RATES_MAX)
        .forEach(
            rate ->
                found.add(
                    text(
                        RATE + " allows %,.0f %ss a second under s3://%s/%s now.",
                        rate.perSecond(),
                        rate.traffic(),
                        rate.bucket(),
                        rate.prefix())));
    if (total.waits() > 0) {
      found.add(
          text(
              "%,d of %,d requests waited for a permit, %s on average.",
              total.waits(),
              total.requests(),
              time(total.waitedNanos() / NANOS_PER_SECOND / total.waits())));
    }
    if (hedges.started() > 0) {
      found.add(
          text(
              "%s a second attempt in parallel, because of slow answers; %,d of these answered"
                  + " first.",
              hedges.started() == 1 ? "1 request had" : text("%,d requests had", hedges.started()),
              hedges.won()));
    }
    long cut = hedges.deadlineCuts() + hedges.stallCuts();
    if (cut > 0) {
      found.add(
          text(
              "%s cut off and made again: %,d at the deadline, %,d whose content stopped coming.",
              cut == 1 ? "1 request was" : text("%,d requests were", cut),
              hedges.deadlineCuts(),
              hedges.stallCuts()));
    }
    if (total.failed() == 0 && total.throttled() == 0) {
      found.add("No request failed, and S3 throttled none.");
    }
    return found;
  }

  private static String shareOf(long some, RequestSums total) {
    return text(
        "%,d of %,d requests (%.1f %%)", some, total.requests(), 100.0 * some / total.requests());
  }

  /** Names the path that has most. */
  private static String most(List<Row> paths, Comparator<Row> by) {
    Optional<Row> worst =
        paths.stream().filter(row -> !row.name().equals(RequestAccounts.REST)).max(by);
    return worst.map(row -> ", most often under s3://" + row.name()).orElse("");
  }

  private static String time(double seconds) {
    return seconds < 1 ? text("%.0f ms", seconds * 1_000) : text("%,.1f s", seconds);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
