/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfTest {
  @TempDir private Path spill;

  @ParameterizedTest
  @CsvSource({
    "0, 2.8",
    "1.04, 15.1",
    "6.62, 29.0",
    "14.62, 10.4",
    "23.46, -11.6",
    "19.04, -0.6",
    "50, -11.6"
  })
  void aimdCostsTimeInFourOfFivePublishedPairs(double throttled, double percent) {
    assertThat(Published.aimdPercent(throttled)).isCloseTo(percent, offset(0.06));
  }

  @Test
  void aimdBreaksEvenAtAFifth() {
    assertThat(Published.breakEvenPercent()).isCloseTo(18.8, offset(0.01));
    assertThat(Published.aimdPercent(18.8)).isCloseTo(0, offset(0.01));
  }

  @Test
  void largerFilesAreThrottledLess() {
    assertThat(Published.throttledPercent(5.2)).isCloseTo(23.46, offset(1e-9));
    assertThat(Published.throttledPercent(133)).isZero();
    assertThat(Published.throttledPercent(512)).isZero();
    assertThat(FileWhatIf.timePercent(5.2, 133)).isCloseTo(-77.86, offset(0.01));
  }

  @Test
  void aTimeoutSavesWhatSlowRequestsTakeBeyondItAndAFreshOne() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      // 990 of 100 ms and 10 of 20 s: the mean is 0.299 s.
      logs.requests(
          "UploadPart",
          "W",
          1_000,
          0,
          "total_us",
          "case when i < 990 then 100000 else 20000000 end");
      Table t18 = TailWhatIf.table(logs.ready());
      assertThat(t18.text(2, "api")).isEqualTo("UploadPart");
      assertThat(t18.count(2, "timeout_s")).isEqualTo(5);
      assertThat(t18.count(2, "requests_over")).isEqualTo(10);
      assertThat(t18.number(2, "extra")).isEqualTo(1.0);
      assertThat(t18.number(2, "seconds_over")).isCloseTo(200, offset(0.01));
      assertThat(t18.number(2, "saved_by_abort")).isCloseTo(147.01, offset(0.01));
      // The first attempt goes on, so a second one that is slow as well costs nothing.
      assertThat(t18.number(2, "saved_by_race")).isCloseTo(147.51, offset(0.01));
      assertThat(t18.number(2, "stage_now")).isGreaterThan(20);
      assertThat(t18.number(2, "stage_with")).isLessThan(t18.number(2, "stage_now"));
      // Longer than the slowest: nothing is over 30 s.
      assertThat(t18.count(5, "requests_over")).isZero();
      assertThat(t18.number(5, "saved_by_abort")).isZero();
    }
  }

  @Test
  void fewerFilesAreFewerWrites() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("UploadPart", "W", 1_000, 0, "upload_id", "'u' || i", "bytes_in", "8388608");
      logs.requests("CreateMultipartUpload", "W", 1_000, 0, "upload_id", "'u' || i");
      logs.requests("CompleteMultipartUpload", "W", 1_500, 500, "upload_id", "'u' || i");
      Table t19 = FileWhatIf.table(logs.ready());
      assertThat(t19.rows().get(0)).startsWith("as it was", 1_000L, 3_500L);
      assertThat(t19.text(1, "scenario")).isEqualTo("AIMD");
      assertThat(t19.rows().get(2)).startsWith("one PUT a file", 1_000L, 1_000L);
      // 8,000 MiB are 63 files of 128 MiB: create, two parts and complete each.
      assertThat(t19.rows().get(5)).startsWith("128 MiB files", 63L, 252L);
    }
  }

  @Test
  void withoutRequestsThereIsNothingToSay() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      QueryEngine engine = logs.ready();
      assertThat(TailWhatIf.table(engine).isEmpty()).isTrue();
      assertThat(FileWhatIf.table(engine).isEmpty()).isTrue();
      assertThat(CostTable.table(engine, Prices.usEast1()).isEmpty()).isTrue();
    }
  }

  @Test
  void throttledRequestsAreNotBilled() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("PutObject", "W", 20_000, 10_000);
      logs.requests("GetObject", "R", 10_000, 0);
      Table t15 = CostTable.table(logs.ready(), Prices.usEast1());
      assertThat(t15.count(0, "billed")).isEqualTo(10_000);
      assertThat(t15.number(0, "cost")).isCloseTo(0.05, offset(1e-9));
      assertThat(t15.number(2, "cost")).isCloseTo(0.004, offset(1e-9));
    }
  }

  @Test
  void coresThatWaitedCostWhatTheirHoursCost() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      // 3,600 requests of 0.1 s, and one of 3,600.1 s.
      logs.requests("PutObject", "W", 3_600, 0, "total_us", "100000", "bytes_in", "1000");
      logs.requests("PutObject", "W", 1, 0, "total_us", "3600100000", "bytes_in", "1000");
      // Half an hour of permits.
      logs.requests("PutObject", "W", 1, 0, "wait_us", "1800000000");
      Table t15 = CostTable.table(logs.ready(), Prices.usEast1().withCoreHour(2));
      Map<String, Double> cores = new TreeMap<>();
      for (int row = 0; row < t15.rows().size(); row++) {
        if (t15.at(row, "core_hours") != null) {
          cores.put(t15.text(row, "what"), t15.number(row, "core_hours"));
          assertThat(t15.number(row, "cost"))
              .isCloseTo(2 * t15.number(row, "core_hours"), offset(1e-9));
        }
      }
      assertThat(cores)
          .hasEntrySatisfying(
              "cores that waited for stragglers (slower than p99)",
              hours -> assertThat(hours).isCloseTo(1, offset(0.001)))
          .hasEntrySatisfying(
              "cores that waited because of rate control",
              hours -> assertThat(hours).isCloseTo(0.5, offset(1e-9)))
          .hasSize(2);
    }
  }

  @Test
  void aWaitOfLessThanACentIsNotSaid() {
    Waiting waiting =
        new Waiting(
            new Table(
                Waiting.QUERY.label(),
                Waiting.QUERY.columns(),
                List.of(List.of("throttled", 9L, 3.6e6 * 20), List.of("failed", 9L, 3.6e6 / 10))));
    assertThat(waiting.sentence(Waiting.Cause.THROTTLED, Prices.usEast1()))
        .isEqualTo("Cores waited up to 20.0 hours for such requests ($1.00).");
    assertThat(waiting.sentence(Waiting.Cause.FAILED, Prices.usEast1())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // GiB, MiB/s always, in bursts, minutes of them a day
    "100, 4.88, 100, 70.3",
    "1024, 50, 100, 720",
    "10240, 500, 1000, 720",
    "1, 1, 100, 14.4"
  })
  void efsCarriesByItsSize(double gib, double baseline, double burst, double minutes) {
    Efs efs = new Efs(gib);
    assertThat(efs.baseline()).isCloseTo(baseline, offset(0.01));
    assertThat(efs.burst()).isEqualTo(burst);
    assertThat(efs.burstMinutesADay()).isCloseTo(minutes, offset(0.05));
    assertThat(Efs.gibFor(50)).isEqualTo(1024);
  }

  @Test
  void smallCheckpointFilesCostLessOnEfs() {
    // Every 40 s 200 files of 10 KB, two writes each.
    CheckpointCost cost = new CheckpointCost(64_800, 400, 0, 2_000_000, 0);
    assertThat(cost.onS3(Prices.usEast1())).isCloseTo(129.6, offset(0.001));
    assertThat(cost.onElasticEfs(Prices.usEast1())).isCloseTo(7.776, offset(0.001));
  }
}
