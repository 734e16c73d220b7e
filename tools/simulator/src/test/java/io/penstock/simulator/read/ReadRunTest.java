/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.s3model.Latency;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The production decider on machines that are larger than those that build it. */
class ReadRunTest {
  private static final long MB = 1_000_000;
  private static final Latency FIRST_BYTE = Latency.constant(Duration.ofMillis(30));
  private static final Latency SPREAD =
      Latency.logNormal(Duration.ofMillis(30), Duration.ofMillis(200));

  /** Decodes as fast as one core can, so that only the network and the requests count. */
  private static ReadJob job(int slots, long connection, long network) {
    return job(slots, FIRST_BYTE, connection, network);
  }

  private static ReadJob job(int slots, Latency latency, long connection, long network) {
    return new ReadJob(slots, 8 * slots, 4, 32 << 20, latency, connection, network, 2_000 * MB);
  }

  private static double seconds(ReadJob job, Splitting splitting) {
    return ReadRun.of(job, splitting, 1).seconds();
  }

  @Test
  void oneRequestOfOneTaskTakesItsLatencyAndItsTransfer() {
    ReadJob job = new ReadJob(1, 1, 1, 60 * MB, FIRST_BYTE, 60 * MB, 1_000 * MB, 600 * MB);
    ReadOutcome outcome = ReadRun.of(job, Splitting.WHOLE, 1);
    assertThat(outcome.seconds()).isCloseTo(0.03 + 1 + 0.1, within(1e-3));
    assertThat(outcome.requests()).isEqualTo(1);
  }

  @Test
  void connectionsShareTheNetworkEqually() {
    ReadJob job = new ReadJob(4, 4, 1, 60 * MB, FIRST_BYTE, 60 * MB, 120 * MB, 600 * MB);
    assertThat(seconds(job, Splitting.WHOLE)).isCloseTo(0.03 + 2 + 0.1, within(1e-3));
  }

  /** 10 Gbit/s, and 60 MB/s a connection: up to eight slots leave most of the network idle. */
  @ParameterizedTest
  @CsvSource({"1, 4", "2, 4", "4, 3.3", "8, 2"})
  void whereConnectionsAreTheLimitPenstockIsSeveralTimesAsFast(int slots, double times) {
    ReadJob job = job(slots, 60 * MB, 1_250 * MB);
    assertThat(seconds(job, Splitting.WHOLE) / seconds(job, Splitting.PENSTOCK))
        .isGreaterThan(times);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 60, 1250", "2, 60, 1250", "8, 60, 1250", "16, 60, 1250", "32, 60, 1250", "64, 60, 1250",
    "8, 20, 1250", "8, 200, 1250", "8, 1000, 1250", "16, 60, 3125", "4, 60, 60", "32, 30, 12500",
  })
  void itIsNeverMuchSlowerThanTheBetterFixedWay(int slots, long connection, long network) {
    for (Latency latency : List.of(FIRST_BYTE, SPREAD)) {
      ReadJob job = job(slots, latency, connection * MB, network * MB);
      double better = Math.min(seconds(job, Splitting.WHOLE), seconds(job, Splitting.FIXED));
      assertThat(seconds(job, Splitting.PENSTOCK)).as("%s", job).isLessThan(1.08 * better);
    }
  }

  /** Ranges of 32 MiB are two pieces of the largest size then. */
  @ParameterizedTest
  @CsvSource({"32, 2.6", "64, 2.1"})
  void whereTheNetworkIsFullFewRequestsAreMade(int slots, double times) {
    ReadJob job = job(slots, 60 * MB, 1_250 * MB);
    double whole = ReadRun.of(job, Splitting.WHOLE, 1).requests();
    assertThat(ReadRun.of(job, Splitting.PENSTOCK, 1).requests())
        .isLessThan((long) (times * whole));
  }

  @Test
  void theSameSeedGivesTheSameOutcome() {
    ReadJob job = job(8, SPREAD, 60 * MB, 1_250 * MB);
    assertThat(ReadRun.of(job, Splitting.PENSTOCK, 7))
        .isEqualTo(ReadRun.of(job, Splitting.PENSTOCK, 7))
        .isNotEqualTo(ReadRun.of(job, Splitting.PENSTOCK, 8));
  }

  @Test
  void aJobWithoutSlotsIsRefused() {
    assertThatThrownBy(() -> job(0, MB, MB)).hasMessageContaining("slots must be at least 1");
  }
}
