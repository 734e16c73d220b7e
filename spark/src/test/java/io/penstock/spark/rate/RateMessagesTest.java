/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.golden.Golden;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateMessagesTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final GroupId READS = new GroupId("pond.of.dots", Traffic.READ);

  @Test
  void reportsArriveAsTheyWereSent() throws IOException {
    Map<GroupId, RateReport> reports =
        Map.of(
            WRITES,
            new RateReport(
                List.of(
                    new RateReport.Seen("", 12.5, 3, 7), new RateReport.Seen("tränke/", 1, 0, 0)),
                List.of(new RateReport.Seen("a/b/", 0, 4, 0))),
            READS,
            new RateReport(List.of(), List.of()));

    assertThat(RateMessages.readReports(RateMessages.reports(reports))).isEqualTo(reports);
  }

  @Test
  void leasesArriveAsTheyWereSent() throws IOException {
    Map<GroupId, Lease> leases =
        Map.of(
            WRITES,
            new Lease(
                List.of(
                    new Share("", Share.Mode.PACED, 61.25),
                    new Share("hot/", Share.Mode.OPEN, Double.POSITIVE_INFINITY)),
                200,
                12.5));

    assertThat(RateMessages.readLeases(RateMessages.leases(leases))).isEqualTo(leases);
  }

  @Test
  void messagesOfThisVersionAreReadForEver() throws IOException {
    Map<GroupId, RateReport> reports =
        Map.of(WRITES, new RateReport(List.of(new RateReport.Seen("a/", 12.5, 3, 7)), List.of()));
    byte[] kept = Golden.bytes("rates-reports-4", RateMessages.reports(reports));
    assertThat(RateMessages.readReports(kept)).isEqualTo(reports);
    Map<GroupId, Lease> leases =
        Map.of(WRITES, new Lease(List.of(new Share("", Share.Mode.PACED, 61.25)), 200, 12.5));
    byte[] lease = Golden.bytes("rates-leases-4", RateMessages.leases(leases));
    assertThat(RateMessages.readLeases(lease)).isEqualTo(leases);
  }

  @Test
  void aReportIsSmall() throws IOException {
    RateReport report = new RateReport(List.of(new RateReport.Seen("", 100, 0, 4)), List.of());

    assertThat(RateMessages.reports(Map.of(WRITES, report))).hasSizeLessThan(60);
  }

  /** The numbers of docs/rate-control.md. */
  @Test
  void messagesOfAHundredPartitionsAreAFewKilobytes() throws IOException {
    List<RateReport.Seen> seen = new ArrayList<>();
    List<Share> shares = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String prefix = "warehouse/sales.db/orders/day=2026-11-%02d/".formatted(i);
      seen.add(new RateReport.Seen(prefix, 100, 0, 4));
      shares.add(new Share(prefix, Share.Mode.PACED, 35.5));
    }

    assertThat(RateMessages.reports(Map.of(WRITES, new RateReport(seen, List.of()))))
        .hasSizeBetween(6_300, 6_400);
    assertThat(RateMessages.reports(Map.of(WRITES, new RateReport(seen, seen))))
        .hasSizeBetween(12_600, 12_700);
    assertThat(RateMessages.leases(Map.of(WRITES, new Lease(shares, 1_000, 1))))
        .hasSizeBetween(5_800, 5_900);
  }

  @Test
  void anotherVersionIsRefusedByName() throws IOException {
    byte[] message = RateMessages.leases(Map.of());
    message[1] = 9;

    assertThatThrownBy(() -> RateMessages.readLeases(message))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("the same penstock-spark.jar");
  }
}
