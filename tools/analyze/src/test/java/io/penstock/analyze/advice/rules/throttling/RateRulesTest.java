/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.GivenSettings;
import io.penstock.analyze.advice.rules.throttling.RateDecider.Answer;
import io.penstock.analyze.advice.rules.throttling.RateDecider.Control;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R1 to R4: throttling. */
class RateRulesTest {
  @ParameterizedTest
  @CsvSource({
    // throttled of 10,000 writes, seconds, own share
    "1499, 60, 100, OFF",
    "1500, 60, 100, TRIAL",
    "1999, 60, 100, TRIAL",
    "2000, 59, 100, TRIAL",
    "2000, 60, 69.9, TRIAL",
    "2000, 60, 70, ON",
    "2346, 1287, 100, ON",
    "2000, 60, 50, TRIAL",
    "2000, 60, 49.9, OFF",
    "0, 0, 100, OFF"
  })
  void aimdIsForJobsThatOverloadTheirBucketThemselves(
      long throttled, long seconds, double own, Answer answer) {
    assertThat(RateDecider.decide(load(throttled, seconds, own), Control.BACKOFF))
        .isEqualTo(answer);
  }

  @Test
  void withoutOthersInTheLogsNobodyKnowsWhoseLoadItIs() {
    Load load = new Load(10_000, 10_000, 2_000, 2_000, 60, 20, 15, OptionalDouble.empty(), "");
    assertThat(RateDecider.decide(load, Control.BACKOFF)).isEqualTo(Answer.OWN_SHARE_UNKNOWN);
    Advice r1 = r1(new RateFacts(load, Control.BACKOFF, Client.S3A, 0, 0));
    assertThat(r1.verdict()).isEqualTo(AdviceVerdict.NO_EVIDENCE);
    assertThat(r1.evidence()).contains("An S3 server access log or CloudTrail");
  }

  @Test
  void aRunWithAimdSaysNothingAboutBackoff() {
    assertThat(RateDecider.decide(load(56, 60, 100), Control.AIMD)).isEqualTo(Answer.TRIAL_WITHOUT);
    assertThat(RateDecider.decide(load(5_000, 60, 100), Control.ADAPTIVE))
        .isEqualTo(Answer.ADAPTIVE);
  }

  @Test
  void eachClientHasItsOwnSwitch() {
    Load load = load(2_346, 1_287, 100);
    assertThat(r1(new RateFacts(load, Control.BACKOFF, Client.EMRFS, 0, 0)).changes())
        .extracting("name", "next")
        .containsExactly(org.assertj.core.groups.Tuple.tuple("fs.s3.aimd.enabled", "true"));
    assertThat(r1(new RateFacts(load, Control.BACKOFF, Client.EMRFS, 0, 0)).effect())
        .contains("job's time by")
        .contains("published EMRFS runs");
    // S3A has none, and this is a setting.
    assertThat(r1(new RateFacts(load, Control.BACKOFF, Client.S3A, 0, 0)).changes())
        .extracting("target", "name", "next")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                Target.SPARK, "spark.plugins", "io.penstock.spark.PenstockPlugin"));
  }

  @ParameterizedTest
  @CsvSource({
    // median MiB, writes a file, throttled %
    "9.9, 1, 1.01, DO",
    "10, 1, 1.01, DONT",
    // Many small files cost their readers, throttled or not.
    "9.9, 1, 1.0, DO",
    "10, 1, 1.0, DONT",
    "10, 3, 1.01, DO",
    "10, 2.99, 1.01, DONT",
    // Files of 128 MiB have to be half as many at most.
    "64, 4, 5, DO",
    "65, 4, 5, DONT",
    "300, 6, 5, DONT"
  })
  void smallFilesAndWastefulUploadsAreForFewerRequests(
      double medianMib, double writes, double percent, AdviceVerdict verdict) {
    double bytes = medianMib * 1048576;
    WrittenFiles facts =
        new WrittenFiles(
            1_000, writes, (long) bytes, bytes, percent, 1_600, 1, WrittenFiles.Told.NOTHING);
    Advice r3 = new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow();
    assertThat(r3.verdict()).isEqualTo(verdict);
    assertThat(r3.changes().stream().map(Change::next))
        .as("one directory is not what keeps files small")
        .allSatisfy(next -> assertThat(next).doesNotContain("directory"));
  }

  @Test
  void aCapOnRecordsIsTakenAway() {
    WrittenFiles facts = published(1_600);
    Advice r3 =
        new SmallFiles()
            .judge(
                facts, GivenSettings.spark("3.5.1", "spark.sql.files.maxRecordsPerFile", "100000"))
            .orElseThrow();
    assertThat(r3.changes().get(0))
        .hasToString(
            "Change[target=SPARK, name=spark.sql.files.maxRecordsPerFile, now=100000, next=0]");
  }

  private static WrittenFiles published(double cores) {
    return published(cores, 23.46);
  }

  @ParameterizedTest
  @CsvSource({"19, DONT", "20, DO"})
  void aFewFilesAreNoWayOfWriting(long files, AdviceVerdict verdict) {
    WrittenFiles facts =
        new WrittenFiles(files, 1, 1_000, 1_000, 50, 16, 1, WrittenFiles.Told.NOTHING);
    assertThat(new SmallFiles().judge(facts, GivenSettings.unknown()).map(Advice::verdict))
        .contains(verdict);
  }

  private static WrittenFiles published(double cores, double percent) {
    return new WrittenFiles(
        579_158, 3, 5_452_595, 5_452_595, percent, cores, 1, WrittenFiles.Told.NOTHING);
  }

  @ParameterizedTest
  @CsvSource({
    "16, 23.46, LOW",
    "799, 23.46, LOW",
    "800, 23.46, HIGH",
    "3200, 23.46, HIGH",
    "3201, 23.46, LOW",
    "0, 23.46, LOW",
    "1600, 11.73, HIGH",
    "1600, 11.72, LOW",
    "1600, 1.1, LOW"
  })
  void theGainOfThePublishedJobIsOneForJobsLikeItOnly(
      double cores, double percent, Confidence confidence) {
    Advice r3 =
        new SmallFiles().judge(published(cores, percent), GivenSettings.unknown()).orElseThrow();
    assertThat(r3.confidence()).isEqualTo(confidence);
    if (confidence == Confidence.LOW) {
      assertThat(r3.gainPercent()).isEqualTo(percent);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // directories, stages that write, what to do
        "200 | 1 | coarser partitions (each of 200 directories has at least one file), or"
            + " compact the files afterwards",
        "1 | 200 | a longer trigger interval or fewer writes (each of 200 writes has at least one"
            + " file), or compact the files afterwards",
        "20 | 1 | repartition(20, the columns of partitionBy) before the write: files of 10 MiB on"
            + " average",
        "1 | 10 | repartition(1) before each write: files of 20 MiB",
        "1 | 1 | repartition(1) before the write: files of 200 MiB"
      })
  void directoriesAndWritesHaveAFileEach(long directories, long stages, String next) {
    long file = 1048576;
    WrittenFiles facts =
        new WrittenFiles(
            200,
            1,
            file,
            file,
            0,
            16,
            directories,
            new WrittenFiles.Told(200, 200 * file, stages, 0, 0, 0, 0));
    assertThat(new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow().changes())
        .extracting(Change::next)
        .containsExactly(next);
  }

  /** Two hundred appends to the same day's hours: the rows of an hour stay together each time. */
  @Test
  void eachOfSeveralWritesToATableIsPartitioned() {
    WrittenFiles.Told told = new WrittenFiles.Told(48_000, 48_000L << 20, 200, 4_800, 24, 0, 0);
    WrittenFiles facts = new WrittenFiles(48_000, 1, 1 << 20, 1 << 20, 0, 16, 24, told);
    assertThat(new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow().changes())
        .extracting(Change::next)
        .containsExactly(
            "repartition(24, the columns of partitionBy) before each write: files of 10 MiB on"
                + " average");
  }

  /** Rows of one directory are of one task, unless chance divides them. */
  @Test
  void aTableOfFewDirectoriesKeepsItsFilesApart() {
    WrittenFiles facts =
        new WrittenFiles(11_460, 3, 26_214_400, 26_214_400, 20, 400, 20, WrittenFiles.Told.NOTHING);
    Advice r3 =
        new SmallFiles()
            .judge(
                facts, GivenSettings.spark("3.5.1", "spark.sql.files.maxRecordsPerFile", "500000"))
            .orElseThrow();
    assertThat(r3.changes())
        .extracting(Change::next)
        .containsExactly(
            "0",
            "hint(\"rebalance\", the columns of partitionBy) before the write (Spark 3.2 or later):"
                + " about 56 files a directory of 255.8 MiB; their size follows"
                + " spark.sql.adaptive.advisoryPartitionSizeInBytes");
  }

  /** A reader of an event log wants to hear first that the writing is much of the job. */
  @Test
  void tinyFilesAreRankedByTheTimeThatTheyTake() {
    WrittenFiles facts =
        new WrittenFiles(
            0, 0, 0, 0, 0, 16, 0, new WrittenFiles.Told(600, 1_200_000, 1, 0, 0, 9_000, 24_000));
    Advice r3 = new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow();
    assertThat(r3.evidence())
        .contains("The stages that wrote files took 9 s; the whole job took 24 s.");
    assertThat(r3.effect()).contains("writes during 38 % of its time");
    assertThat(r3.gainPercent()).isBetween(37.0, 37.5);
  }

  @ParameterizedTest
  @CsvSource({
    // 192 GiB in files of 5 MiB: 768 of 256 MiB would leave half of 1,594 cores without one.
    "1594, repartition(1536) before the write: files of 128 MiB",
    "1000, repartition(1000) before the write: files of 196.6 MiB",
    "16, repartition(768) before the write: files of 256 MiB"
  })
  void coresAreNotLeftWithoutAFile(double cores, String change) {
    long file = 5 * 1048576;
    WrittenFiles facts =
        new WrittenFiles(
            39_322, 3, file, 192.0 * (1 << 30) / 39_322, 20, cores, 1, WrittenFiles.Told.NOTHING);
    assertThat(new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow().changes())
        .extracting(Change::next)
        .containsExactly(change);
  }

  @ParameterizedTest
  @CsvSource({
    "600, 1200000, DO",
    "99, 1200000, NO_EVIDENCE",
    "600, 6300000000, NO_EVIDENCE",
    // A committer that reports no bytes says nothing of sizes.
    "600, 0, NO_EVIDENCE"
  })
  void theEventLogAloneShowsManyTinyFiles(long files, long bytes, AdviceVerdict verdict) {
    WrittenFiles facts =
        new WrittenFiles(0, 0, 0, 0, 0, 16, 0, new WrittenFiles.Told(files, bytes, 1, 0, 0, 0, 0));
    Advice r3 = new SmallFiles().judge(facts, GivenSettings.unknown()).orElseThrow();
    assertThat(r3.verdict()).isEqualTo(verdict);
    assertThat(r3.evidence()).contains("%,d files of ".formatted(files));
  }

  @ParameterizedTest
  @CsvSource({"129, 1", "255, 1", "256, 2", "1000, 7", "4096, 16"})
  void filesForCoresAreStillLarge(long mib, long wanted) {
    WrittenFiles facts =
        new WrittenFiles(mib, 3, 1048576, 1048576, 20, 16, 1, WrittenFiles.Told.NOTHING);
    assertThat(facts.wanted()).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({
    // share, peak, capacity, throttled %
    "59.9, 2000, 1500, 10, DONT",
    "60, 2000, 1500, 10, DO",
    "60, 1500, 1500, 10, DONT",
    "100, 2000, 1500, 1.01, DO",
    // So little is below what S3 takes of a prefix: something else is throttled, too.
    "100, 1049, 20, 50, DONT",
    "100, 1050, 20, 50, DO",
    // One 503 in a million requests is all of the throttling, and no reason to change a layout.
    "100, 2000, 1500, 1, DONT"
  })
  void aPrefixIsHotWithMostThrottlesAndMoreLoadThanS3Takes(
      double share, double peak, double capacity, double percent, AdviceVerdict verdict) {
    HotPrefix.Facts facts =
        new HotPrefix.Facts("writes", 100, percent, share, "lake/out/", 0, peak, capacity, "", 0);
    assertThat(new HotPrefix().judge(facts).orElseThrow().verdict()).isEqualTo(verdict);
  }

  @Test
  void theSearchEndsWhereTheLoadSplits() {
    List<List<Object>> dirs =
        List.of(
            List.of("lake", "t/day=1/h=1/", 50L),
            List.of("lake", "t/day=1/h=2/", 40L),
            List.of("lake", "t/day=2/h=1/", 10L),
            List.of("other", "", 5L));
    PrefixSearch.Found found =
        PrefixSearch.search(GivenSettings.table("bucket dir throttled", dirs), 0.6);
    assertThat(found).isEqualTo(new PrefixSearch.Found("lake/t/day=1/", 90, 2));
  }

  private static Load load(long throttled, long seconds, double own) {
    return new Load(
        10_000, 10_000, throttled, throttled, seconds, 5_000, 3_000, OptionalDouble.of(own), "me");
  }

  private static Advice r1(RateFacts facts) {
    return new AimdOn().judge(facts, GivenSettings.unknown()).orElseThrow();
  }
}
