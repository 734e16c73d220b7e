/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.print.Terminal;
import io.penstock.core.time.VirtualTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The demo's side of its talk with Spark, without a Spark. */
class DemoRunTest {
  private final StringWriter shown = new StringWriter();
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);

  @Test
  void bothRoundsAreReportedBesideEachOther() {
    DemoRun run = run(Optional.empty());
    say(run, "started", "Spark 4.1.3");
    step(run, "penstock", "write", 1500, "PUT=1 LIST=2 CREATE_UPLOAD=100 COPY=0");
    step(run, "penstock", "read", 500, "GET=200");
    say(run, "check", "true", "penstock read back what was written", "");
    step(run, "rename", "write", 12_000, "PUT=103 COPY=200 LIST=1000");
    say(run, "check", "true", "rename read back what was written", "");

    assertThat(run.passed()).isTrue();
    assertThat(run.report())
        .isEqualTo(
            """

              what S3 was asked      Penstock  rename committer
              -------------------------------------------------
              GetObject                   200                 0
              PutObject                     1               103
              CopyObject                    0               200
              ListObjectsV2                 2             1,000
              CreateMultipartUpload       100                 0
              -------------------------------------------------
              requests                    303             1,303
              renames (copies)              0               200
              elapsed                   2.0 s            12.0 s

              All 2 checks held: row counts, sums, and the overwrite.
            """);
    assertThat(shown.toString())
        .isEqualTo(
            """
              starting Spark …
              Spark 4.1.3 is up
              computing what the table must add up to …
              Penstock: write …
              Penstock                     write          103 requests     1.5 s
              Penstock: read …
              Penstock                     read           200 requests     0.5 s
              Hadoop's rename committer: write …
              Hadoop's rename committer    write        1,303 requests    12.0 s
            """);
    assertThat(shown.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void withoutTheOtherRoundItsColumnIsEmpty() {
    DemoRun run = run(Optional.empty());
    step(run, "penstock", "write", 1000, "PUT=1");
    say(run, "check", "true", "penstock read back what was written", "");

    assertThat(run.report())
        .isEqualTo(
            """

              what S3 was asked  Penstock  rename committer
              ---------------------------------------------
              PutObject                 1                 -
              ---------------------------------------------
              requests                  1                 -
              renames (copies)          0                 -
              elapsed               1.0 s                 -

              All 1 checks held: row counts, sums, and the overwrite.
            """);
  }

  @Test
  void sparkGoesOnOnlyWhenItIsToldTo() {
    DemoRun run = run(Optional.empty());

    assertThat(run.said(List.of("started", "Spark 4.1.3"))).isEmpty();
    assertThat(run.said(List.of("ready", "penstock", "write"))).contains("go");
    assertThat(run.said(List.of("done", "penstock", "write", "PUT=1", "0"))).isEmpty();
    assertThat(run.said(List.of("news", "of a later version"))).isEmpty();
  }

  @Test
  void aCheckThatDoesNotHoldFailsTheDemo() {
    DemoRun run = run(Optional.empty());
    step(run, "penstock", "read", 1000, "GET=1");
    say(run, "check", "true", "penstock replaced the old rows", "");
    say(run, "check", "false", "penstock read back what was written", "wanted [2], found [1]");

    assertThat(run.passed()).isFalse();
    assertThat(run.report())
        .endsWith(
            """

              FAILED:
              - penstock read back what was written: wanted [2], found [1]
            """);
  }

  @Test
  void aDemoWithoutAnyCheckHasNotPassed() {
    DemoRun run = run(Optional.empty());
    step(run, "penstock", "write", 1000, "PUT=1");

    assertThat(run.passed()).isFalse();
    assertThat(run.report())
        .endsWith(
            """

              FAILED:
              - Spark ended before anything was checked
            """);
  }

  @Test
  void aDemoInWhichNothingRanIsReportedToo() {
    DemoRun run = run(Optional.empty());

    assertThat(run.passed()).isFalse();
    assertThat(run.report()).contains("FAILED:");
  }

  @Test
  void theStoresCountsJudgeTheClients() throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      DemoRun run = run(Optional.of(s3));
      step(run, "penstock", "write", 1000, "PUT=1");
      say(run, "check", "true", "penstock read back what was written", "");

      assertThat(run.passed()).isFalse();
      assertThat(run.report())
          .contains("- penstock write: the store counted 0 requests, the client 1")
          .contains("bytes sent");
    }
  }

  @Test
  void anAttemptThatWasCutShortMayBeCountedByOneSideOnly() throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      DemoRun run = run(Optional.of(s3));
      say(run, "ready", "penstock", "write");
      say(run, "done", "penstock", "write", "PUT=1", "1");
      say(run, "check", "true", "penstock read back what was written", "");

      assertThat(run.passed()).isTrue();
    }
  }

  @Test
  void whatTheEngineDidStandsUnderTheTable() {
    DemoRun run = run(Optional.empty());
    step(run, "penstock", "write", 1000, "PUT=1");
    say(run, "engine", "7 throttled, 2 waits, 7 retries, 1 hedges (1 won), 0 deadlines");
    say(run, "check", "true", "penstock read back what was written", "");

    assertThat(run.report())
        .endsWith(
            """
              elapsed               1.0 s                 -

              Penstock's engine: 7 throttled, 2 waits, 7 retries, 1 hedges (1 won), 0 deadlines

              All 1 checks held: row counts, sums, and the overwrite.
            """);
  }

  private DemoRun run(Optional<EmbeddedS3> s3) {
    return new DemoRun(new Terminal(new PrintWriter(shown)), s3, time);
  }

  private void step(DemoRun run, String round, String step, long millis, String counts) {
    say(run, "ready", round, step);
    time.advance(Duration.ofMillis(millis));
    say(run, "done", round, step, counts, "0");
  }

  private static void say(DemoRun run, String... words) {
    run.said(List.of(words));
  }
}
