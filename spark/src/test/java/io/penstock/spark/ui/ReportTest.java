/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.store.Operation;
import io.penstock.core.time.VirtualTime;
import io.penstock.spark.account.DriverAccounts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReportTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final RequestAccounts accounts = new RequestAccounts();
  private Map<GroupId, Map<String, Double>> rates = Map.of();
  private final Reporter reporter =
      new Reporter(
          new DriverAccounts(accounts),
          () -> new HedgeMetrics.Count(3, 2, 1, 0, 4, 1),
          () -> rates,
          () -> "app-1",
          time,
          1_000);

  private void add(Operation operation, String key, long query, int stage, End end) {
    accounts.add(
        Client.PENSTOCK,
        operation,
        "lake",
        key,
        new Origin(
            "app-1", OptionalLong.of(query), Optional.of(new Origin.Task(stage, 0, 0, stage))),
        new Attempted(20_000_000, 5, 7, end, false, false));
  }

  @Test
  void clientsAreShownWhereThereIsAnother() throws JsonProcessingException {
    add(Operation.GET, "a/x", 1, 1, End.OK);
    assertThat(ReportPage.html(reporter.report(10, true), true)).doesNotContain("Clients");
    for (int i = 0; i < 2; i++) {
      accounts.add(
          Client.S3A,
          Operation.PUT,
          "lake",
          "a/x",
          Origin.NONE,
          new Attempted(1, 5, 0, End.OK, false, false));
    }
    Report report = reporter.report(10, true);
    assertThat(report.clients()).extracting(Report.Row::name).containsExactly("S3A", "Penstock");
    assertThat(report.clients()).extracting(Report.Row::requests).containsExactly(2L, 1L);
    assertThat(ReportPage.html(report, true)).contains("<h4>Clients</h4>").contains("S3A");

    ObjectNode older = (ObjectNode) report.toJson();
    older.remove("clients");
    assertThat(Report.of(older).clients()).isEmpty();
  }

  @Test
  void whatWentWrongIsSaidFirst() {
    rates = Map.of(new GroupId("lake", Traffic.WRITE), Map.of("a/", 1_700.0, "b/", 1.0 / 0));
    add(Operation.GET, "a/x", 1, 1, End.OK);
    add(Operation.PUT, "a/x", 1, 1, End.THROTTLED);
    add(Operation.HEAD, "b/x", 1, 1, End.MISS);
    add(Operation.PUT, "b/x", 1, 1, End.FAILED);

    assertThat(reporter.report(10, true).findings())
        .containsExactly(
            "1 of 4 requests (25.0 %) failed, most often under s3://lake/b. Failures that may"
                + " pass are tried again.",
            "S3 throttled 1 of 4 requests (25.0 %), most often under s3://lake/a.",
            "Rate control allows 1,700 writes a second under s3://lake/a/ now.",
            "3 requests had a second attempt in parallel, because of slow answers; 2 of these"
                + " answered first.",
            "5 requests were cut off and made again: 4 at the deadline, 1 whose content stopped"
                + " coming.");
  }

  @Test
  void shortWaitsAreToldInMilliseconds() {
    add(Operation.GET, "a/x", 1, 1, End.OK);
    accounts.addWait(Operation.GET, "lake", "a/x", Origin.NONE, 26_000_000);
    assertThat(reporter.report(10, true).findings())
        .contains("1 of 1 requests waited for a permit, 26 ms on average.");
    accounts.addWait(Operation.GET, "lake", "a/x", Origin.NONE, 2_474_000_000L);
    assertThat(reporter.report(10, true).findings())
        .contains("2 of 1 requests waited for a permit, 1.3 s on average.");
  }

  @Test
  void aCalmJobIsSaidToBeCalm() {
    assertThat(reporter.report(10, true).findings()).containsExactly("No request to S3 so far.");
    add(Operation.GET, "a/x", 1, 1, End.OK);
    assertThat(reporter.report(10, true).findings())
        .last()
        .isEqualTo("No request failed, and S3 throttled none.");
  }

  @Test
  void aReportSurvivesItsJsonAndAdditionsOfLaterVersions() throws IOException {
    add(Operation.GET, "a/x", 1, 1, End.OK);
    time.advance(Duration.ofSeconds(2));
    Report report = reporter.report(10, true);

    ObjectNode json = (ObjectNode) new ObjectMapper().readTree(report.toText());
    json.put("added", 1);
    ((ObjectNode) json.get("total")).put("added", 1);

    assertThat(Report.of(json)).isEqualTo(report);
    assertThat(json.get("version").asInt()).isEqualTo(1);
    assertThat(json.get("stages").get(0).get("stage").asInt()).isEqualTo(1);
    assertThat(json.get("total").get("receivedBytes").asInt()).isEqualTo(7);
  }

  @Test
  void fewRowsAreThoseWithMostRequestsAndTheOthersAreCounted() {
    for (int stage = 0; stage < 30; stage++) {
      for (int times = 0; times <= stage; times++) {
        add(Operation.GET, "t" + stage + "/x", stage, stage, End.OK);
      }
    }
    Report report = reporter.report(20, true);
    Report fewer = report.first(5);

    assertThat(fewer.stages())
        .extracting(Report.Row::stage)
        .containsExactly(29L, 28L, 27L, 26L, 25L);
    assertThat(fewer.omitted()).isEqualTo(new Report.Omitted(25, 25, 25, 0));
    assertThat(fewer.total()).isEqualTo(report.total());
    assertThat(ReportPage.html(fewer, true)).contains("25 with fewer requests are not shown.");
  }

  @Test
  void pointsAreRequestsOfTheirSpanAndTheirNumberIsBounded() {
    Series series = new Series(0, 1_000);
    RequestSums one = new RequestSums(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0);
    RequestSums sums = RequestSums.NONE;
    for (int second = 1; second <= 5_000; second++) {
      sums = sums.plus(one);
      series.add(second * 1_000L, sums);
    }

    List<Report.Point> points = series.points();

    assertThat(points).hasSizeBetween(300, 600);
    assertThat(points.stream().mapToLong(Report.Point::requests).sum()).isBetween(4_980L, 5_000L);
    assertThat(points).allMatch(point -> point.requests() * 1_000 == point.millis());
  }

  @Test
  void aNameIsNeverMarkup() {
    add(Operation.GET, "<script>alert(1)</script>\"'&\u0007/x", 1, 1, End.OK);

    String html = ReportPage.html(reporter.report(10, true), true);

    assertThat(html)
        .contains("s3://lake/&lt;script&gt;alert(1)&lt;")
        .doesNotContain("<script")
        .doesNotContain("\u0007");
    assertThat(html).as("Spark's Content-Security-Policy forbids them").doesNotContain("onclick");
  }

  @Test
  void aPageOfManyStagesAndPathsIsSmall() throws IOException {
    DriverAccounts many = new DriverAccounts(accounts);
    for (int i = 0; i < 1_000; i++) {
      add(Operation.GET, "warehouse/some/long/name/of/a/table/number/" + i + "/x", i, i, End.OK);
    }
    time.advance(Duration.ofHours(1));
    String page =
        ReportPage.html(
            new Reporter(many, () -> HedgeMetricsNone.COUNT, Map::of, () -> "a", time, 1_000)
                .report(LiveReport.PAGE_ROWS, true),
            true);

    assertThat(page.length()).isLessThan(250_000);
  }

  private static final class HedgeMetricsNone {
    static final HedgeMetrics.Count COUNT = new HedgeMetrics.Count(0, 0, 0, 0, 0, 0);
  }

  @Test
  void anEventOfARunningJobIsSmall() {
    for (int i = 0; i < 1_000; i++) {
      add(Operation.GET, "warehouse/some/long/name/of/a/table/number/" + i + "/x", i, i, End.OK);
    }
    // 60 in the first ten minutes and 50 later are less than 0.9 MB in the first hour.
    assertThat(reporter.report(5, false).toText().length()).isLessThan(8_000);
  }

  @Test
  void theReportOfADriverThatWasKilledSaysSo() {
    add(Operation.GET, "a/x", 1, 1, End.OK);
    Report last = reporter.report(10, false);

    Report shown = last.inHistory(List.of());

    assertThat(shown.findings())
        .first()
        .isEqualTo(
            "The driver has not told its last requests: this is what it had counted until"
                + " 2026-01-01T00:00:00Z.");
    assertThat(ReportPage.html(shown, false)).contains("data-live=\"false\"");
    reporter.ended();
    assertThat(reporter.report(10, false).inHistory(List.of()).findings())
        .noneMatch(finding -> finding.startsWith("The driver"));
  }
}
