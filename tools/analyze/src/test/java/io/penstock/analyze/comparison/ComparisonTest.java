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
    return Comparison.of(before, after, Prices.usEast1()).table().rows();
  }

  private List<String> metrics() throws IOException {
    return rows().stream().map(row -> (String) row.get(0)).toList();
  }

  private static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }

  @Test
  void theTableTellsEachMetricBeforeAndAfter() throws IOException {
    Table table = Comparison.of(before, after, Prices.usEast1()).table();
    assertThat(table.id()).isEqualTo("T20");
    assertThat(table.title()).isEqualTo("Before and after");
    assertThat(table.columns())
        .containsExactly(
            new Column("metric", Kind.TEXT),
            new Column("before", Kind.NUMBER),
            new Column("after", Kind.NUMBER),
            new Column("change", Kind.NUMBER),
            new Column("change_percent", Kind.PERCENT),
            new Column("verdict", Kind.TEXT),
            new Column("about", Kind.TEXT));
    assertThat(table.rows()).as("nothing was read").isEmpty();
  }

  @Test
  void aJobIsComparedInSeconds() throws IOException {
    before.with("jobs", "elapsed_ms", 80_000.0);
    after.with("jobs", "elapsed_ms", 60_000.0);
    assertThat(rows()).containsExactly(row("job, s", 80.0, 60.0, -20.0, -25.0, "better", "time"));
  }

  @Test
  void ofSeveralJobsNoneIsCompared() throws IOException {
    before.with("jobs", "elapsed_ms", 80_000.0);
    after.with("jobs", "elapsed_ms", 60_000.0).with("jobs", "elapsed_ms", 10_000.0);
    assertThat(rows()).isEmpty();
  }

  @Test
  void theSummaryIsComparedAndBytesAreMebibytes() throws IOException {
    before.with(
        "summary",
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
        "summary",
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
            row("from first to last request, s", 200.0, 100.0, -100.0, -50.0, "better", "time"),
            row("sent, MiB", 3.0, 1.5, -1.5, -50.0, null, "work"),
            row("received, MiB", 1.0, 2.0, 1.0, 100.0, null, "work"),
            row("requests", 1_000.0, 900.0, -100.0, -10.0, "same", "requests"),
            row("requests, without their retries", 800.0, 800.0, 0.0, 0.0, "same", "requests"),
            row("throttled", 100.0, 0.0, -100.0, -100.0, "better", "throttling"),
            row("throttled, % of all", 10.0, 0.0, -10.0, -100.0, "better", "throttling"),
            row("throttled, % of writes", 20.0, 0.0, -20.0, -100.0, "better", "throttling"),
            row("other 5xx", 4.0, 5.0, 1.0, 25.0, "same", "retries"));
  }

  @Test
  void theRatesAreThoseOfAllRequests() throws IOException {
    before
        .with(
            "request-rates",
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
        .with("request-rates", "of", "writes", "peak_rps", 9L);
    after.with(
        "request-rates",
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
            row("peak, requests/s", 4_000.0, 3_000.0, -1_000.0, -25.0, null, "requests"),
            row("mean, requests/s", 100.0, 125.0, 25.0, 25.0, null, "requests"),
            row("seconds with throttles", 10.0, 5.0, -5.0, -50.0, "same", "throttling"),
            row(
                "got through in those, requests/s",
                3_000.0,
                3_300.0,
                300.0,
                10.0,
                null,
                "throttling"));
  }

  @Test
  void requestsThatWereMadeOnceAreNoRetries() throws IOException {
    before
        .with("attempts-per-request", "attempts", 1L, "chains", 900L, "waited_s", 0.5)
        .with("attempts-per-request", "attempts", 2L, "chains", 30L, "waited_s", 6.0)
        .with("attempts-per-request", "attempts", 11L, "chains", 10L, "waited_s", 34.0);
    after.with("attempts-per-request", "attempts", 1L, "chains", 900L, "waited_s", 0.0);
    assertThat(rows())
        .containsExactly(
            row("tried more than once", 40.0, 0.0, -40.0, -100.0, "better", "retries"),
            row("waited for retries, s", 40.0, 0.0, -40.0, -100.0, "better", "retries"));
  }

  @Test
  void operationsAreInTheOrderOfTheirNamesAndOneThatOnlyOneRunHadHasNoChange() throws IOException {
    before.with("operations", "api", "PutObject", "requests", 10L);
    before.with("operations", "api", "CopyObject", "requests", 7L);
    after.with("operations", "api", "PutObject", "requests", 12L);
    after.with("operations", "api", "ListObjectsV2", "requests", 3L);
    assertThat(rows())
        .containsExactly(
            row("CopyObject", 7.0, null, null, null, null, "operations"),
            row("ListObjectsV2", null, 3.0, null, null, null, "operations"),
            row("PutObject", 10.0, 12.0, 2.0, 20.0, null, "operations"));
  }

  @Test
  void aChangeFromNothingHasNoPercentage() throws IOException {
    before.with("operations", "api", "PutObject", "requests", 0L);
    after.with("operations", "api", "PutObject", "requests", 12L);
    assertThat(rows()).containsExactly(row("PutObject", 0.0, 12.0, 12.0, null, null, "operations"));
  }

  private static KnownTables tail(KnownTables tables, long requests, double p50, long over5s) {
    return tables.with(
        "tail-latency",
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
    tail(before, 1_000, 100, 8)
        .with("tail-latency", "api", "PutObject", "requests", 5L, "p50_ms", 1.0);
    tail(after, 1_000, 50, 2);
    assertThat(rows())
        .containsExactly(
            row("PutObject p50, ms", 100.0, 50.0, -50.0, -50.0, "better", "latency"),
            row("PutObject p95, ms", 200.0, 100.0, -100.0, -50.0, null, "latency"),
            row("PutObject p99, ms", 400.0, 200.0, -200.0, -50.0, null, "latency"),
            row("PutObject p999, ms", 800.0, 400.0, -400.0, -50.0, null, "latency"),
            row("PutObject over 5 s", 8.0, 2.0, -6.0, -75.0, "same", "latency"),
            row("PutObject over 10 s", 4.0, 1.0, -3.0, -75.0, "same", "latency"));
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
        .with("sizes", "what", "GetObject answers", "files", 77L, "p50_bytes", 7L)
        .with(
            "sizes",
            "what",
            "files written",
            "files",
            200L,
            "p50_bytes",
            2_097_152L,
            "requests_per_file",
            4.0); // 2 x 2^20
    after.with(
        "sizes",
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
            row("files written", 200.0, 100.0, -100.0, -50.0, null, "work"),
            row("median file, MiB", 2.0, 5.0, 3.0, 150.0, null, "work"),
            row("writing requests a file", 4.0, 1.0, -3.0, -75.0, "better", "work"));
  }

  @Test
  void theMetricsAreInOneOrder() throws IOException {
    for (KnownTables tables : List.of(before, after)) {
      tables.with("sizes", "what", "files written", "files", 1L);
      tail(tables, 1_000, 1, 0);
      tables.with("operations", "api", "PutObject", "requests", 1L);
      tables.with("attempts-per-request", "attempts", 2L, "chains", 1L);
      tables.with("request-rates", "peak_rps", 1L);
      tables.with("summary", "requests", 1L);
      tables.with("jobs", "elapsed_ms", 1.0);
    }
    assertThat(metrics())
        .containsExactly(
            "job, s",
            "files written",
            "requests",
            "peak, requests/s",
            "tried more than once",
            "waited for retries, s",
            "PutObject p50, ms",
            "PutObject p95, ms",
            "PutObject p99, ms",
            "PutObject p999, ms",
            "PutObject over 5 s",
            "PutObject over 10 s",
            "PutObject");
  }

  /** Two percent of difference say nothing; and what the table is about is a table of its own. */
  @Test
  void readersSeeATableForEachSubjectAndWhatIsBetter() throws IOException {
    before.with("summary", "elapsed_s", 100.0, "throttled", 0L, "bytes_in", 10L << 20);
    after.with("summary", "elapsed_s", 102.0, "throttled", 50L, "bytes_in", 10L << 20);
    Comparison comparison = Comparison.of(before, after, Prices.usEast1());
    assertThat(comparison.bySubject())
        .extracting(Table::title)
        .containsExactly("How long it took", "What was done", "How much was throttled");
    assertThat(comparison.bySubject())
        .extracting(table -> table.text(0, "verdict"))
        .containsExactly("same", "", "worse");
    assertThat(comparison.difference()).isEmpty();
  }

  /** Larger files and merged reads are what advice asks for: no other work. */
  @Test
  void fewerFilesOfTheSameBytesAreTheSameWork() throws IOException {
    sizes(before, 5_000, 100 << 20);
    sizes(after, 200, 101 << 20);
    before.with("summary", "elapsed_s", 10.0, "bytes_out", 50L << 20);
    after.with("summary", "elapsed_s", 5.0, "bytes_out", 90L << 20);
    Comparison comparison = Comparison.of(before, after, Prices.usEast1());
    assertThat(comparison.difference()).isEmpty();
    assertThat(comparison.table().text(0, "verdict")).isEqualTo("better");
  }

  private static void sizes(KnownTables tables, long files, long bytes) {
    tables.with(
        "sizes",
        "what",
        "files written",
        "files",
        files,
        "bytes",
        bytes,
        "p50_bytes",
        bytes / files);
  }

  @Test
  void runsThatDidNotDoTheSameWorkAreSaidSo() throws IOException {
    sizes(before, 10, 100 << 20);
    sizes(after, 10, 80 << 20);
    before.with("summary", "elapsed_s", 10.0);
    after.with("summary", "elapsed_s", 1.0);
    Comparison comparison = Comparison.of(before, after, Prices.usEast1());
    assertThat(comparison.table().at(0, "verdict")).as("less work takes less time").isNull();
    assertThat(comparison.difference())
        .contains(
            "Times and costs of these runs do not compare: written in files, MiB, 100 and 80.");
  }

  /** Requests that are known of one run only are no difference of work. */
  @Test
  void whatIsNotKnownDoesNotDiffer() throws IOException {
    sizes(after, 10, 80 << 20);
    before.with("jobs", "name", "a", "elapsed_ms", 80_000.0);
    after.with("jobs", "name", "a", "elapsed_ms", 60_000.0);
    Comparison comparison = Comparison.of(before, after, Prices.usEast1());
    assertThat(comparison.difference()).isEmpty();
    assertThat(comparison.table().text(0, "verdict")).isEqualTo("better");
  }

  @Test
  void aRunWithoutRequestsIsSaid() throws IOException {
    before.with("summary", "elapsed_s", 10.0);
    assertThat(Comparison.of(before, after, Prices.usEast1()).difference())
        .contains(
            "Times and costs of these runs do not compare: the logs of the run after have no"
                + " requests.");
    assertThat(Comparison.of(before, before, Prices.usEast1()).difference()).isEmpty();
  }

  @Test
  void aJobThatFailedOrIsAnotherIsNoFasterOne() throws IOException {
    before.with("jobs", "name", "a", "elapsed_ms", 80_000.0).with("job-facts", "failed_jobs", 0L);
    after.with("jobs", "name", "b", "elapsed_ms", 10_000.0).with("job-facts", "failed_jobs", 1L);
    Comparison comparison = Comparison.of(before, after, Prices.usEast1());
    assertThat(comparison.table().at(0, "verdict")).isNull();
    assertThat(comparison.difference())
        .contains(
            "Times and costs of these runs do not compare: the jobs are a and b; a job of the run"
                + " after failed.");
  }

  @Test
  void whatChanceMayDoIsTheSame() throws IOException {
    before.with("summary", "throttled", 0L, "other_5xx", 100L);
    after.with("summary", "throttled", 5L, "other_5xx", 130L);
    assertThat(rows()).extracting(row -> row.get(5)).containsExactly("same", "same");
  }
}
