/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.GivenSettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests R11, the CPU request of executors. */
class CpuRequestTest {
  @ParameterizedTest
  @CsvSource({"0.65, 0.75", "0.1, 0.5", "3.48, 4.0", "0.435, 0.5"})
  void theCpuRequestIsTheAverageAndAMargin(double busy, double request) {
    assertThat(CpuRequest.best(busy)).isCloseTo(request, org.assertj.core.data.Offset.offset(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"4, DO", "0.84, DO", "0.83, DONT", "0.69, DONT", "0.68, DO"})
  void aCpuRequestIsChangedByATenthAtLeast(double request, AdviceVerdict verdict) {
    // 65 busy of 100 seconds: 0.75 cores.
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                request,
                Optional.empty(),
                true,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1"))
            .orElseThrow();
    assertThat(r11.verdict()).isEqualTo(verdict);
  }

  /** Spark's metrics have the JVM's CPU alone. */
  @ParameterizedTest
  @CsvSource({"4, NO_EVIDENCE", "0.6, DO"})
  void lessCpuForAProgramInPythonHasNoEvidence(double request, AdviceVerdict verdict) {
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                request,
                Optional.empty(),
                true,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1", "spark.kubernetes.resource.type", "python"))
            .orElseThrow();
    assertThat(r11.verdict()).isEqualTo(verdict);
  }

  @Test
  void aCpuLimitIsTakenAwayFromAProgramInPythonToo() {
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                4,
                Optional.of("1"),
                true,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1", "spark.kubernetes.resource.type", "python"))
            .orElseThrow();
    assertThat(r11.verdict()).isEqualTo(AdviceVerdict.DO);
    assertThat(r11.changes()).extracting("name").containsExactly(CpuRequest.LIMIT);
  }

  @Test
  void aLogWithoutAnEndIsNoReasonForALowerRequest() {
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                4,
                Optional.empty(),
                false,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1"))
            .orElseThrow();
    assertThat(r11.verdict()).isEqualTo(AdviceVerdict.NO_EVIDENCE);
  }

  /** Both rules would cut for the same idle time otherwise. */
  @Test
  void whereExecutorsAreToBeFewerTheCpuRequestIsTheirs() {
    // 10 executors of 4 cores were busy for a quarter of their time, with 0.9 CPU a running task.
    Executors executors =
        new Executors(10, 10_000, 40_000, 1_000, 9_000, 10_000, 10_000, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                4,
                Optional.empty(),
                true,
                java.util.OptionalLong.of(4),
                GivenSettings.spark("3.5.1"))
            .orElseThrow();
    // idle-cores wants 4 of 10: 0.9 busy cores of each become 2.25.
    assertThat(executors.wanted(1)).isEqualTo(4);
    assertThat(r11.changes().get(0).next()).isEqualTo("2.60");
    assertThat(r11.verdict())
        .as("no surer than what it rests on")
        .isEqualTo(AdviceVerdict.BENCHMARK);
    Executors lost =
        new Executors(10, 10_000, 40_000, 1_000, 9_000, 10_000, 10_000, 2, 0, 0, 0, 0, 0, 1, 4);
    assertThat(lost.areIdle(1)).as("one was lost, and the others had its work").isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // executors, CPU and run seconds of each
    "2, 5, 40, 0.50",
    "2, 0, 0, 0.50"
  })
  void executorsThatDoNextToNothingAskForLittle(int count, double cpu, double run, String next) {
    Executors executors =
        new Executors(
            count,
            count * 1e3,
            count * 4e3,
            1e3,
            count * cpu,
            count * run,
            count * run,
            2,
            0,
            0,
            0,
            0,
            0,
            0,
            4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                4,
                Optional.empty(),
                true,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1"))
            .orElseThrow();
    assertThat(r11.changes().get(0).next()).isEqualTo(next);
    assertThat(r11.evidence()).doesNotContain("NaN");
  }

  @Test
  void aCpuLimitIsAlwaysTakenAway() {
    Executors executors = new Executors(1, 100, 400, 100, 65, 80, 80, 2, 0, 0, 0, 0, 0, 0, 4);
    Advice r11 =
        new CpuRequest()
            .judge(
                executors,
                0.75,
                Optional.of("1"),
                true,
                java.util.OptionalLong.empty(),
                GivenSettings.spark("3.5.1"))
            .orElseThrow();
    assertThat(r11.changes().get(1).isRemoval()).isTrue();
  }
}
