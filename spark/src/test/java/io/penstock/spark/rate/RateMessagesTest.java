/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateReport;
import io.penstock.core.rate.Share;
import io.penstock.core.rate.Traffic;
import java.io.IOException;
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

    RateMessages.Request read = RateMessages.readRequest(RateMessages.request("7", reports));

    assertThat(read.executor()).isEqualTo("7");
    assertThat(read.reports()).isEqualTo(reports);
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
  void aReportIsSmall() throws IOException {
    RateReport report = new RateReport(List.of(new RateReport.Seen("", 100, 0, 4)), List.of());

    assertThat(RateMessages.request("12", Map.of(WRITES, report))).hasSizeLessThan(60);
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
