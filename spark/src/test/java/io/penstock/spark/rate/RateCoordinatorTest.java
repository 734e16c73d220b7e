/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateCoordinatorTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final GroupId ELSEWHERE = new GroupId("pond", Traffic.WRITE);

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final RateCoordinator coordinator =
      new RateCoordinator(
          bucket ->
              bucket.equals("pond")
                  ? RateConfig.defaults().withPolicy(RatePolicy.BACKOFF)
                  : RateConfig.defaults(),
          time);

  @Test
  void aBucketOfAnotherPolicyIsLeftAlone() throws IOException {
    assertThat(ask("1", ELSEWHERE, 0, 50)).isEmpty();
  }

  @Test
  void theIdleDriverHasAShareBeforeItsFirstRequest() throws IOException {
    RateControl driver = new RateControl();
    driver.join(WRITES, RateConfig.defaults(), time.nowNanos());
    for (int round = 0; round < 6; round++) {
      ask("1", WRITES, 30, 10);
      coordinator.takePart(driver);
      time.advance(Duration.ofMillis(500));
    }

    assertThat(driver.rates().get(WRITES).get("")).isLessThan(100);
  }

  @Test
  void anExecutorThatCameLateHearsOfThePartitionsThatWereFound() throws IOException {
    for (int round = 0; round < 20; round++) {
      report(
          "1",
          new RateReport(
              List.of(new Seen("", 100, 30, 5)),
              List.of(new Seen("table/hot/", 20, 30, 0), new Seen("table/cold/", 80, 0, 0))));
      time.advance(Duration.ofMillis(500));
    }
    assertThat(prefixes(ask("1", WRITES, 1, 0))).hasSizeGreaterThan(1);

    ask("2", WRITES, 1, 0);
    time.advance(Duration.ofMillis(500));

    assertThat(prefixes(ask("2", WRITES, 1, 0)))
        .containsExactlyElementsOf(prefixes(ask("1", WRITES, 1, 0)));
  }

  private static List<String> prefixes(Map<GroupId, Lease> leases) {
    return leases.get(WRITES).shares().stream().map(Share::prefix).toList();
  }

  private Map<GroupId, Lease> ask(String executor, GroupId id, double ok, double throttled)
      throws IOException {
    RateReport report = new RateReport(List.of(new Seen("", ok, throttled, 0)), List.of());
    return RateMessages.readLeases(
        coordinator.answer(executor, RateMessages.reports(Map.of(id, report))));
  }

  private void report(String executor, RateReport report) throws IOException {
    coordinator.answer(executor, RateMessages.reports(Map.of(WRITES, report)));
  }
}
