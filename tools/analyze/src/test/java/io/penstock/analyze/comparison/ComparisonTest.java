/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Prices;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows of table T20, with the numbers of two runs worked out by hand. */
class ComparisonTest {
  private final KnownTables before = new KnownTables();
  private final KnownTables after = new KnownTables();

  private List<List<Object>> rows() throws IOException {
    return Comparison.of(before, after, Prices.usEast1()).rows();
  }

  private List<String> metrics() throws IOException {
    return rows().stream().map(row -> (String) row.get(0)).toList();
  }

  private static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }

  @Test
  void theTableTellsEachMetricBeforeAndAfter() throws IOException {
    Table table = Comparison.of(before, after, Prices.usEast1());
    assertThat(table.id()).isEqualTo("T20");
    assertThat(table.title()).isEqualTo("Before and after");
    assertThat(table.columns())
        .containsExactly(
            new Column("metric", Kind.TEXT),
            new Column("before", Kind.NUMBER),
            new Column("after", Kind.NUMBER),
            new Column("change", Kind.NUMBER),
            new Column("change_percent", Kind.PERCENT));
    assertThat(table.rows()).as("nothing was read").isEmpty();
  }

  @Test
  void aJobIsComparedInSeconds() throws IOException {
    before.with("T14", "elapsed_ms", 80_000.0);
    after.with("T14", "elapsed_ms", 60_000.0);
    assertThat(rows()).containsExactly(row("job, s", 80.0, 60.0, -20.0, -25.0));
  }

  @Test
  void ofSeveralJobsNoneIsCompared() throws IOException {
    before.with("T14", "elapsed_ms", 80_000.0);
    after.with("T14", "elapsed_ms", 60_000.0).with("T14", "elapsed_ms", 10_000.0);
    assertThat(rows()).isEmpty();
  }

  @Test
  void theSummaryIsComparedAndBytesAreMebibytes() throws IOException {
    before.with(
        "T1",
        "elapsed_s",
        200.0,
        "requests",
        1_000L,
        "logical_requests",
        800L,
        "throttled",
        100L,
        "throttled_percent",
        10.0,
        "throttled_writes_percent",
        20.0,
        "other_5xx",
        4L,
        "bytes_in",
        3_145_728L,
        "bytes_out",
        1_048_576L); // 3 x 2^20 and 2^20
    after.with(
        "T1",
        "elapsed_s",
        100.0,
        "requests",
        900L,
        "logical_requests",
        800L,
        "throttled",
        0L,
        "throttled_percent",
        0.0,
        "throttled_writes_percent",
        0.0,
        "other_5xx",
        5L,
        "bytes_in",
        1_572_864L,
        "bytes_out",
        2_097_152L); // 1.5 x 2^20 and 2 x 2^20
    assertThat(rows())
        .containsExactly(
            row("from first to last request, s", 200.0, 100.0, -100.0, -50.0),
            row("requests", 1_000.0, 900.0, -100.0, -10.0),
            row("requests, without their retries", 800.0, 800.0, 0.0, 0.0),
            row("throttled", 100.0, 0.0, -100.0, -100.0),
            row("throttled, % of all", 10.0, 0.0, -10.0, -100.0),
            row("throttled, % of writes", 20.0, 0.0, -20.0, -100.0),
            row("other 5xx", 4.0, 5.0, 1.0, 25.0),
            row("sent, MiB", 3.0, 1.5, -1.5, -50.0),
            row("received, MiB", 1.0, 2.0, 1.0, 100.0));
  }

  @Test
  void theRatesAreThoseOfAllRequests() throws IOException {
    before
        .with(
            "T5",
            "of",
            "all",
            "peak_rps",
            4_000L,
            "mean_rps",
            100.0,
            "seconds_throttled",
            10L,
            "effective_capacity_rps",
            3_000.0)
        .with("T5", "of", "writes", "peak_rps", 9L);
    after.with(
        "T5",
        "of",
        "all",
        "peak_rps",
        3_000L,
        "mean_rps",
        125.0,
        "seconds_throttled",
        5L,
        "effective_capacity_rps",
        3_300.0);
    assertThat(rows())
        .containsExactly(
            row("peak, requests/s", 4_000.0, 3_000.0, -1_000.0, -25.0),
            row("mean, requests/s", 100.0, 125.0, 25.0, 25.0),
            row("seconds with throttles", 10.0, 5.0, -5.0, -50.0),
            row("got through in those, requests/s", 3_000.0, 3_300.0, 300.0, 10.0));
  }

  @Test
  void requestsThatWereMadeOnceAreNoRetries() throws IOException {
    before
        .with("T9", "attempts", 1L, "chains", 900L, "waited_s", 0.5)
        .with("T9", "attempts", 2L, "chains", 30L, "waited_s", 6.0)
        .with("T9", "attempts", 11L, "chains", 10L, "waited_s", 34.0);
    after.with("T9", "attempts", 1L, "chains", 900L, "waited_s", 0.0);
    assertThat(rows())
        .containsExactly(
            row("tried more than once", 40.0, 0.0, -40.0, -100.0),
            row("waited for retries, s", 40.0, 0.0, -40.0, -100.0));
  }

  @Test
  void operationsAreInTheOrderOfTheirNamesAndOneThatOnlyOneRunHadHasNoChange() throws IOException {
    before.with("T2", "api", "PutObject", "requests", 10L);
    before.with("T2", "api", "CopyObject", "requests", 7L);
    after.with("T2", "api", "PutObject", "requests", 12L);
    after.with("T2", "api", "ListObjectsV2", "requests", 3L);
    assertThat(rows())
        .containsExactly(
            row("CopyObject", 7.0, null, null, null),
            row("ListObjectsV2", null, 3.0, null, null),
            row("PutObject", 10.0, 12.0, 2.0, 20.0));
  }

  @Test
  void aChangeFromNothingHasNoPercentage() throws IOException {
    before.with("T2", "api", "PutObject", "requests", 0L);
    after.with("T2", "api", "PutObject", "requests", 12L);
    assertThat(rows()).containsExactly(row("PutObject", 0.0, 12.0, 12.0, null));
  }

  private static KnownTables tail(KnownTables tables, long requests, double p50, long over5s) {
    return tables.with(
        "T6",
        "api",
        "PutObject",
        "size",
        "all sizes",
        "requests",
        requests,
        "p50_ms",
        p50,
        "p95_ms",
        2 * p50,
        "p99_ms",
        4 * p50,
        "p999_ms",
        8 * p50,
        "over_5s",
        over5s,
        "over_10s",
        over5s / 2);
  }

  @Test
  void theTailsOfAThousandRequestsOfAllSizesAreCompared() throws IOException {
    tail(before, 1_000, 100, 8).with("T6", "api", "PutObject", "requests", 5L, "p50_ms", 1.0);
    tail(after, 1_000, 50, 2);
    assertThat(rows())
        .containsExactly(
            row("PutObject p50, ms", 100.0, 50.0, -50.0, -50.0),
            row("PutObject p95, ms", 200.0, 100.0, -100.0, -50.0),
            row("PutObject p99, ms", 400.0, 200.0, -200.0, -50.0),
            row("PutObject p999, ms", 800.0, 400.0, -400.0, -50.0),
            row("PutObject over 5 s", 8.0, 2.0, -6.0, -75.0),
            row("PutObject over 10 s", 4.0, 1.0, -3.0, -75.0));
  }

  @Test
  void theTailsOfFewerThanAThousandRequestsBeforeAreNot() throws IOException {
    tail(before, 999, 100, 8);
    tail(after, 1_000, 50, 2);
    assertThat(metrics()).isEmpty();
  }

  @Test
  void theTailsOfFewerThanAThousandRequestsAfterAreNot() throws IOException {
    tail(before, 1_000, 100, 8);
    tail(after, 999, 50, 2);
    assertThat(metrics()).isEmpty();
  }

  @Test
  void theTailOfAnOperationThatOnlyOneRunHadIsNot() throws IOException {
    tail(before, 1_000, 100, 8);
    assertThat(metrics()).isEmpty();
  }

  @Test
  void filesAreThoseThatWereWrittenAndTheirMedianIsInMebibytes() throws IOException {
    before
        .with("T13", "what", "GetObject answers", "files", 77L, "p50_bytes", 7L)
        .with(
            "T13",
            "what",
            "files written",
            "files",
            200L,
            "p50_bytes",
            2_097_152L,
            "requests_per_file",
            4.0); // 2 x 2^20
    after.with(
        "T13",
        "what",
        "files written",
        "files",
        100L,
        "p50_bytes",
        5_242_880L,
        "requests_per_file",
        1.0); // 5 x 2^20
    assertThat(rows())
        .containsExactly(
            row("files written", 200.0, 100.0, -100.0, -50.0),
            row("median file, MiB", 2.0, 5.0, 3.0, 150.0),
            row("writing requests a file", 4.0, 1.0, -3.0, -75.0));
  }

  @Test
  void theMetricsAreInOneOrder() throws IOException {
    for (KnownTables tables : List.of(before, after)) {
      tables.with("T13", "what", "files written", "files", 1L);
      tail(tables, 1_000, 1, 0);
      tables.with("T2", "api", "PutObject", "requests", 1L);
      tables.with("T9", "attempts", 2L, "chains", 1L);
      tables.with("T5", "peak_rps", 1L);
      tables.with("T1", "requests", 1L);
      tables.with("T14", "elapsed_ms", 1.0);
    }
    assertThat(metrics())
        .containsExactly(
            "job, s",
            "requests",
            "peak, requests/s",
            "tried more than once",
            "waited for retries, s",
            "PutObject",
            "PutObject p50, ms",
            "PutObject p95, ms",
            "PutObject p99, ms",
            "PutObject p999, ms",
            "PutObject over 5 s",
            "PutObject over 10 s",
            "files written");
  }
}
