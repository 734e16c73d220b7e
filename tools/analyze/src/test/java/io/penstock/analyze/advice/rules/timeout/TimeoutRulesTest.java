/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.rules.facts.GivenSettings;
import io.penstock.analyze.advice.whatif.LatencyHistogram;
import io.penstock.tables.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R5, R6 and R17: timeouts and retries. */
class TimeoutRulesTest {
  @ParameterizedTest
  @CsvSource({
    // of 1,000,000: over 2 s, over 5 s, over 10 s; median and p99 in ms; seconds, 0 for none
    "28000, 2600, 1600, 80, 3800, 5",
    "5000, 2600, 1600, 80, 3800, 2",
    "5001, 5000, 1600, 80, 3800, 5",
    "5001, 5001, 5000, 80, 3800, 10",
    "5001, 5001, 5001, 80, 3800, 0",
    "100, 99, 10, 80, 500, 2",
    "99, 99, 99, 80, 500, 0",
    "28000, 2600, 1600, 1000, 3800, 0",
    "28000, 2600, 1600, 999, 3800, 5",
    // Three times a p99 of 1.6 s is below 5 s.
    "28000, 2600, 1600, 80, 1600, 0"
  })
  void theSmallestTimeoutThatAsksFewTwiceIsTaken(
      long over2, long over5, long over10, double median, double p99, int seconds) {
    Timeout.Group group = group("<8 MiB", over2, over5, over10, median, p99);
    assertThat(Timeout.choose(group).orElse(0)).isEqualTo(seconds);
  }

  @Test
  void largeTransfersHaveNoTimeoutAndSmallOnesTryFourSeconds() {
    assertThat(Timeout.choose(group(">=128 MiB", 28_000, 2_600, 1_600, 80, 3_800))).isEmpty();
    assertThat(Timeout.choose(group("<512 KiB", 28_000, 2_600, 1_600, 80, 3_800))).contains(4);
  }

  @Test
  void aTimeoutLeavesTimeForAPartOnASlowConnection() {
    // 64 MiB at 8 MiB/s take 8 s, and two more.
    Timeout.Group group =
        new Timeout.Group(
            "UploadPart",
            "<128 MiB",
            1_000_000,
            80,
            3_800,
            64L << 20,
            8 << 20,
            latencies(28_000, 2_600, 1_600));
    TimeoutSettings timeouts = TimeoutSettings.of(GivenSettings.spark("4.1.1"));
    assertThat(timeouts.changes(List.of(group), 0))
        .extracting("name", "now", "next")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "fs.s3a.connection.part.upload.timeout", "15m (default)", "10s"));
  }

  @ParameterizedTest
  @CsvSource({
    "3.5.1, fs.s3a.connection.request.timeout, 5s",
    "4.0.0, fs.s3a.connection.part.upload.timeout, 5s",
    "4.1.1, fs.s3a.connection.part.upload.timeout, 5s"
  })
  void theSettingIsThatOfTheVersion(String spark, String name, String value) {
    List<Timeout.Group> groups = List.of(uploads());
    assertThat(TimeoutSettings.of(GivenSettings.spark(spark)).changes(groups, 0))
        .extracting("name", "next")
        .containsExactly(org.assertj.core.groups.Tuple.tuple(name, value));
  }

  @ParameterizedTest
  @CsvSource({
    // Spark, seconds that completions need, verdict, promised
    "3.5.1, 0, DO, a timeout of 5 s would repeat",
    "4.1.1, 0, DONT, none",
    "3.5.1, 13, DONT, none",
    "3.5.1, 9, DO, a timeout of 10 s would repeat"
  })
  void whatIsPromisedIsTheEffectOfWhatIsSet(
      String spark, int longest, AdviceVerdict verdict, String promised) {
    Timeout.Group reads =
        new Timeout.Group(
            "GetObject", "<8 MiB", 1_000_000, 80, 3_800, 0, 0, latencies(28_000, 2_600, 1_600));
    Advice r5 =
        new SlowTail()
            .judge(List.of(reads), TimeoutSettings.of(GivenSettings.spark(spark)), longest)
            .orElseThrow();
    assertThat(r5.verdict()).isEqualTo(verdict);
    assertThat(r5.effect()).startsWith(promised);
  }

  @Test
  void aTimeoutThatEndsNothingIsLeftOutAndTheOthersStay() {
    // The reads save more, but their timeout is 15 s at least, which none of them exceeded.
    Timeout.Group reads =
        new Timeout.Group(
            "GetObject", "<8 MiB", 1_000_000, 80, 3_800, 0, 0, latencies(28_000, 4_600, 4_000));
    Timeout.Group uploads =
        new Timeout.Group(
            "UploadPart", "<8 MiB", 1_000_000, 80, 3_800, 0, 0, latencies(28_000, 2_600, 1_600));
    Advice r5 =
        new SlowTail()
            .judge(List.of(reads, uploads), TimeoutSettings.of(GivenSettings.spark("4.1.1")), 0)
            .orElseThrow();
    assertThat(r5.verdict()).isEqualTo(AdviceVerdict.DO);
    assertThat(r5.evidence()).contains("UploadPart");
    assertThat(r5.effect()).startsWith("a timeout of 5 s would repeat");
    assertThat(r5.changes())
        .extracting("name")
        .containsExactly("fs.s3a.connection.part.upload.timeout");
  }

  @Test
  void penstockHedgesAlready() {
    TimeoutSettings timeouts =
        TimeoutSettings.of(
            GivenSettings.spark("4.1.1", "spark.plugins", "io.penstock.spark.PenstockPlugin"));
    Advice r5 = new SlowTail().judge(List.of(uploads()), timeouts, 0).orElseThrow();
    assertThat(r5.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(r5.evidence()).contains("Penstock hedges such requests");
  }

  @ParameterizedTest
  @CsvSource({
    "10s, 3, DO, 10s",
    "59s, 3, DO, 59s",
    "60s, 3, DONT, ''",
    "0, 3, DONT, ''",
    // A part that takes 32 s would be cut for ever.
    "30s, 32, DO, 34s",
    // Nobody knows how long parts take.
    "30s, 0, BENCHMARK, 30s"
  })
  void aShortRequestTimeoutDoesNotTouchUploadsInHadoop342(
      String timeout, double transfer, AdviceVerdict verdict, String value) {
    TimeoutSettings timeouts =
        TimeoutSettings.of(
            GivenSettings.spark(
                "4.1.1", "spark.hadoop.fs.s3a.connection.request.timeout", timeout));
    Advice r6 = new TimeoutPlace().judge(timeouts, transfer).orElseThrow();
    assertThat(r6.verdict()).isEqualTo(verdict);
    assertThat(r6.changes().stream().map(change -> change.next()).findFirst().orElse(""))
        .isEqualTo(value);
  }

  /** Hadoop 3.3 took it for seconds. */
  @ParameterizedTest
  @CsvSource({"3.5.1, 60, 60000", "3.5.1, 60s, 60000", "4.1.1, 60000, 60000", "4.0.0, 1m, 60000"})
  void aNumberWithoutAUnitIsThatOfTheVersion(String spark, String timeout, long millis) {
    TimeoutSettings timeouts =
        TimeoutSettings.of(
            GivenSettings.spark(spark, "spark.hadoop.fs.s3a.connection.request.timeout", timeout));
    assertThat(timeouts.requestMillis()).contains(millis);
  }

  /** Nothing is promised of a timeout that is there, and none is made longer. */
  @ParameterizedTest
  @CsvSource({"5s, DONT", "2s, DONT", "6s, DO", "15m, DO"})
  void anUploadTimeoutThatIsThereIsNotAdvised(String timeout, AdviceVerdict verdict) {
    TimeoutSettings timeouts =
        TimeoutSettings.of(
            GivenSettings.spark(
                "4.1.1", "spark.hadoop.fs.s3a.connection.part.upload.timeout", timeout));
    // What completions need is no matter of uploads, which have a timeout of their own.
    Advice r5 = new SlowTail().judge(List.of(uploads()), timeouts, 60).orElseThrow();
    assertThat(r5.verdict()).isEqualTo(verdict);
    assertThat(r5.changes()).hasSize(verdict == AdviceVerdict.DO ? 1 : 0);
    if (verdict == AdviceVerdict.DONT) {
      assertThat(r5.evidence())
          .endsWith("to which the timeout setting applies; the setting is now " + timeout + ".");
    }
  }

  @Test
  void aRequestTimeoutThatCutsLargePartsIsRaised() {
    TimeoutSettings timeouts =
        TimeoutSettings.of(GivenSettings.agent("Hadoop 3.4.0, aws-sdk-java/2"));
    assertThat(new TimeoutPlace().judge(timeouts, 58).orElseThrow().verdict())
        .isEqualTo(AdviceVerdict.DONT);
    Advice r6 = new TimeoutPlace().judge(timeouts, 58.1).orElseThrow();
    assertThat(r6.changes().get(0).next()).isEqualTo("61s");
  }

  @Test
  void hadoop32HasNoTimeoutToSet() {
    TimeoutSettings timeouts =
        TimeoutSettings.of(GivenSettings.agent("Hadoop 3.2.4, aws-sdk-java/1"));
    assertThat(new TimeoutPlace().judge(timeouts, 1).orElseThrow().evidence())
        .contains("Hadoop 3.2.4 has no request timeout");
    assertThat(
            new TimeoutPlace()
                .judge(TimeoutSettings.of(GivenSettings.unknown()), 1)
                .orElseThrow()
                .verdict())
        .isEqualTo(AdviceVerdict.NO_EVIDENCE);
  }

  @ParameterizedTest
  @CsvSource({
    // attempts, retries, first wait in ms
    "5, 7, 500, DONT",
    "6, 6, 500, DO",
    "20, 7, 500, DO",
    // 1,022 times the first wait is five minutes at 293.5 ms
    "1, 9, 293, DONT",
    "1, 9, 294, DO"
  })
  void retriesWithinRetriesAreCounted(int attempts, int retries, long wait, AdviceVerdict verdict) {
    NestedRetries.Facts facts = new NestedRetries.Facts(attempts, retries, wait, 20);
    assertThat(
            new NestedRetries().judge(facts, GivenSettings.spark("4.1.1")).orElseThrow().verdict())
        .isEqualTo(verdict);
  }

  @Test
  void aLongFirstWaitIsWhatIsChanged() {
    Advice r17 =
        new NestedRetries()
            .judge(
                new NestedRetries.Facts(5, 7, 2_000, 20),
                GivenSettings.spark("4.1.1", "spark.hadoop.fs.s3a.retry.interval", "2s"))
            .orElseThrow();
    assertThat(r17.changes())
        .extracting("name", "now", "next")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("fs.s3a.retry.interval", "2s", "500ms"));
  }

  @Test
  void theWaitsAreThoseThatHadoopMakes() {
    NestedRetries.Facts byDefault = new NestedRetries.Facts(5, 7, 500, 20);
    assertThat(byDefault.all()).isEqualTo(40);
    assertThat(byDefault.giveUpSeconds()).isEqualTo(1 + 2 + 4 + 8 + 16 + 32 + 64);
  }

  private static Timeout.Group uploads() {
    return new Timeout.Group(
        "UploadPart", "<8 MiB", 1_000_000, 80, 3_800, 0, 0, latencies(28_000, 2_600, 1_600));
  }

  private static Timeout.Group group(
      String size, long over2, long over5, long over10, double median, double p99) {
    return new Timeout.Group(
        "UploadPart", size, 1_000_000, median, p99, 0, 0, latencies(over2, over5, over10));
  }

  /** Of a million requests; the fast ones take a tenth of a second. */
  private static LatencyHistogram latencies(long over2, long over5, long over10) {
    List<List<Object>> rows =
        List.of(
            List.of("UploadPart", "a", 0L, 1_000_000 - over2, (1_000_000 - over2) * 0.1),
            List.of("UploadPart", "a", 2L, over2 - over5, (over2 - over5) * 3.0),
            List.of("UploadPart", "a", 5L, over5 - over10, (over5 - over10) * 7.0),
            List.of("UploadPart", "a", 10L, over10, over10 * 20.0));
    Table table = GivenSettings.table("api size_class over_s requests total_s", rows);
    return LatencyHistogram.of(table, api -> true, size -> true);
  }
}
