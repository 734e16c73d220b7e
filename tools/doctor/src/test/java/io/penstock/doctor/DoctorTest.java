/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private final List<String> progress = new ArrayList<>();
  private final Doctor doctor = new Doctor(progress::add);

  private record Scripted(String name, boolean isGate, Callable<List<CheckOutcome>> script)
      implements Check {
    @Override
    public Duration ceiling() {
      return Duration.ofMillis(50);
    }

    @Override
    public List<CheckOutcome> look() throws Exception {
      return script.call();
    }
  }

  private static Check passing(String name) {
    return new Scripted(name, false, () -> List.of(CheckOutcome.pass(name, "well")));
  }

  private static Check failing(String name, boolean isGate) {
    return new Scripted(name, isGate, () -> List.of(CheckOutcome.fail(name, "ill", "mend it")));
  }

  private List<String> lines() {
    return doctor.lines().stream()
        .map(line -> line.outcome().verdict() + " " + line.outcome().check())
        .toList();
  }

  @Test
  void eachCheckRunsInItsOrder() throws InterruptedException {
    assertThat(doctor.run("group", List.of(passing("a"), passing("b")))).isTrue();
    assertThat(lines()).containsExactly("PASS a", "PASS b");
    assertThat(progress).containsExactly("a", "b");
  }

  @Test
  void whatStandsBehindAGateIsSkippedOnceItFailed() throws InterruptedException {
    assertThat(doctor.run("group", List.of(failing("a", true), passing("b")))).isFalse();
    assertThat(lines()).containsExactly("FAIL a", "SKIPPED b");
    assertThat(doctor.lines().get(1).outcome().said()).isEqualTo("because of: a");
  }

  @Test
  void aFailureThatIsNoGateStopsNothing() throws InterruptedException {
    assertThat(doctor.run("group", List.of(failing("a", false), passing("b")))).isTrue();
    assertThat(lines()).containsExactly("FAIL a", "PASS b");
  }

  @Test
  void aCheckThatHangsHasFailed() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Check hanging =
        new Scripted(
            "a",
            true,
            () -> {
              never.await();
              return List.of();
            });
    doctor.run("group", List.of(hanging));

    assertThat(lines()).containsExactly("FAIL a");
    assertThat(doctor.lines().get(0).outcome().said()).contains("no result within");
    assertThat(doctor.lines().get(0).outcome().fix()).contains("firewall");
  }

  @Test
  void anExceptionIsAFailureThatSaysWhatItSaid() throws InterruptedException {
    Check broken =
        new Scripted(
            "a",
            false,
            () -> {
              throw new IOException("the disk is gone");
            });
    doctor.run("group", List.of(broken));

    assertThat(doctor.lines().get(0).outcome().verdict()).isEqualTo(Verdict.FAIL);
    assertThat(doctor.lines().get(0).outcome().said()).isEqualTo("the disk is gone");
  }

  @Test
  void aComplaintWithoutAFixIsRefused() {
    assertThatThrownBy(() -> CheckOutcome.warn("a", "ill", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aWarningFailsOnlyWhereThatIsWanted() {
    DoctorReport report =
        new DoctorReport(
            "here",
            List.of(new DoctorReport.Line("g", CheckOutcome.warn("a", "odd", "do"))),
            List.of());
    assertThat(report.isWell(false)).isTrue();
    assertThat(report.isWell(true)).isFalse();
  }

  @Test
  void jsonHasVerdictsNumbersAndSettings() {
    DoctorReport report =
        new DoctorReport(
            "s3://lake/",
            List.of(
                new DoctorReport.Line(
                    "bucket", CheckOutcome.pass("list", "fine").with("listMillis", 12))),
            List.of(new DoctorReport.Effective("spark.speculation", "false", "default")));
    assertThat(DoctorJson.of(report).replaceAll("\\s+", " "))
        .contains(
            "\"target\" : \"s3://lake/\"",
            "\"pass\" : 1, \"warn\" : 0, \"fail\" : 0, \"skipped\" : 0",
            "\"verdict\" : \"pass\", \"said\" : \"fine\", \"fix\" : \"\"",
            "\"numbers\" : { \"listMillis\" : 12 }",
            "\"name\" : \"spark.speculation\", \"value\" : \"false\", \"state\" : \"default\"");
  }
}
