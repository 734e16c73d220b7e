/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import static io.penstock.analyze.advice.AdviceVerdict.BENCHMARK;
import static io.penstock.analyze.advice.AdviceVerdict.DO;
import static io.penstock.analyze.advice.AdviceVerdict.DONT;
import static io.penstock.analyze.advice.AdviceVerdict.NO_EVIDENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.analysis.Analyses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From rows in an engine to a list of advice. */
class AdvisorTest {
  @TempDir private Path spill;

  @Test
  void theWorstPublishedRunIsToldToControlItsRateAndToWriteFewerFiles() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      write(logs, 5.2, 728_803, 149_644, 626_246, 47_089, 915_106, 335_949);
      logs.requests("GetObject", "R", 26_888, 0, "bytes_out", "8388608");
      logs.requests("HeadObject", "R", 3_032, 0);
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      Advice r1 = find(all, "R1");
      assertThat(r1.verdict()).isEqualTo(DO);
      assertThat(r1.evidence())
          .contains(
              "S3 throttled 532,682 of 2,270,155 writes (23.46 %)",
              "1,287 seconds had throttled requests")
          .contains("job-role sent 100 %");
      assertThat(r1.effect()).as("the client is taken for S3A").contains("0.61 to 0.94");
      Advice r3 = find(all, "R3");
      assertThat(r3.verdict()).isEqualTo(DO);
      assertThat(r3.evidence())
          .contains(
              "579,157 files (median 5.2 MiB) needed 3.00 write requests each, not counting failed"
                  + " requests");
      assertThat(r3.changes().get(0).next()).startsWith("repartition(11765)");
      assertThat(r3.effect())
          .as("the cores are not known")
          .contains("changed the time by -78 %", "other jobs can be larger or smaller");
      assertThat(find(all, "R4").evidence()).startsWith("The prefix lake/out/ got 100 %");
      assertThat(verdicts(all)).containsEntry("R15", DONT).containsEntry("R12", NO_EVIDENCE);
      assertThat(all.get(0).rule()).isEqualTo("R3");
      assertThat(all).isSortedAccordingTo(java.util.Comparator.comparing(Advice::verdict));
    }
  }

  /** A user who gave the log that the text asks for wants to know why it did not do. */
  @Test
  void aLogThatLacksTheFactIsNamed() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app("3.5.1");
      logs.requests("GetObject", "R", 10, 0, "total_us", "1000");
      List<Rule> rules = List.of(Rules.byId("R1").orElseThrow(), Rules.byId("R20").orElseThrow());
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none(), rules);
      assertThat(find(all, "R20").evidence())
          .isEqualTo(
              "These logs have no stages. A Spark event log has them. The event log that you gave"
                  + " does not contain this information. It belongs to the application job (app-1),"
                  + " Spark 3.5.1, which ran for 21 min 27 s.");
      assertThat(find(all, "R1").evidence())
          .contains("the S3 server access log of the bucket")
          .contains("The access log that you gave (10 requests, from 2024-06-04 ");
      Rule allocation = Rules.byId("R7").orElseThrow();
      logs.run("insert into spark_settings values ('app-1', 'spark', 'spark.app.name', 'job')");
      all = Advisor.advise(logs.ready(), AdviceOptions.none(), List.of(allocation));
      assertThat(all.get(0).evidence())
          .contains("found: 0 reads")
          .contains("The access log that you gave (10 requests")
          .doesNotContain("The event log that you gave does not contain");
    }
  }

  /** One that ran longer, at another time, has nothing to do with these requests. */
  @Test
  void theApplicationThatRanMeanwhileGetsTheAdvice() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app("3.5.1");
      logs.requests("GetObject", "R", 10, 0, "total_us", "1000");
      logs.run(
          "insert into spark_apps(app_id, name, started, ended, elapsed_ms, complete, attempts)"
              + " values ('app-0', 'nightly', timestamp '2024-06-03 00:00:00',"
              + " timestamp '2024-06-03 09:00:00', 32400000, true, 1)");
      List<Rule> rules = List.of(Rules.byId("R20").orElseThrow());
      assertThat(evidence(logs, rules)).contains("belongs to the application job (app-1)");

      logs.run(
          "update spark_apps set started = timestamp '2024-06-05 00:00:00',"
              + " ended = timestamp '2024-06-05 01:00:00' where app_id = 'app-1'");
      logs.run("update s3_all set app_id = 'app-1'");
      assertThat(evidence(logs, rules)).contains("belongs to the application job (app-1)");
    }
  }

  /** What an event log of another time says is said of its application, and nothing is mixed. */
  @Test
  void anEventLogOfAnotherTimeIsJudgedApart() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app("3.5.1", "spark.hadoop.fs.s3a.attempts.maximum", "50");
      logs.run(
          "update spark_apps set started = timestamp '2024-06-05 00:00:00',"
              + " ended = timestamp '2024-06-05 01:00:00'");
      logs.requests("GetObject", "R", 20_000, 0, "total_us", "1000", "user_agent", "'S3A'");
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      assertThat(find(all, "R17").evidence())
          .contains("up to 50 attempts")
          .endsWith(
              "This is from the event log of app-1 alone; the requests are of another job or"
                  + " time.");
      assertThat(find(all, "R5").evidence()).contains("20,000").doesNotContain("alone;");
      assertThat(find(all, "R16").evidence()).contains("20,000 GETs");
      // The tables of the report are computed after the advice.
      assertThat(Analyses.run("summary", logs.ready()).count(0, "requests")).isEqualTo(20_000);
    }
  }

  private static String evidence(AdviceFixture logs, List<Rule> rules) throws IOException {
    return Advisor.advise(logs.ready(), AdviceOptions.none(), rules).get(0).evidence();
  }

  /** Operators often have nothing but logs of the default level. */
  @Test
  void throttlingThatOnlyExceptionsNameIsCited() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.run("insert into error_messages(status, code, answers) values (503, 'SlowDown', 31)");
      logs.run("insert into error_messages(status, code, answers) values (403, 'Denied', 4)");
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      String told = "Exceptions in these logs report 31 answers with status 503.";
      assertThat(find(all, "R1").evidence())
          .startsWith(told)
          .contains("These logs have no write requests.");
      assertThat(find(all, "R18").evidence()).contains(told);
    }
  }

  @Test
  void aRunWithAFewThrottledWritesIsToldToLeaveAimdOff() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      write(logs, 25, 121_590, 4_933, 118_113, 1_456, 135_054, 18_406);
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      Advice r2 = find(all, "R2");
      assertThat(r2.verdict()).isEqualTo(DONT);
      assertThat(r2.evidence()).contains("S3 throttled 24,795 of 374,757 writes (6.62 %)");
      assertThat(r2.effect()).contains("job's time by +29.0 %");
      assertThat(verdicts(all)).doesNotContainKey("R1");
    }
  }

  @Test
  void anotherRolesLoadIsAReasonNotToGiveWay() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("PutObject", "W", 10_000, 3_000, "upload_id", "null");
      logs.run("update s3_all set requester = 'others' where chain % 10 >= 4");
      AdviceOptions mine = own("job-role");
      Advice r2 = find(Advisor.advise(logs.ready(), mine), "R2");
      assertThat(r2.evidence())
          .contains("30.00 %", "job-role sent 40 %", "Other jobs cause the throttling");
    }
  }

  @Test
  void thePublishedTailIsCutAtFiveSeconds() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      // 228 k of 369 k s, 62 %, is said of one random draw; without chance it is 225 of 367, 61 %.
      // A tenth of the published 10,208,803 part uploads, by the inverse of their distribution.
      logs.requests("UploadPart", "W", 1_020_880, 0, "total_us", PUBLISHED_TAIL);
      logs.app("4.1.1", "spark.master", "yarn");
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      Advice r5 = find(all, "R5");
      assertThat(r5.verdict()).isEqualTo(DO);
      assertThat(r5.evidence()).contains("took more than 5 s: 0.26 %", "median is 80 ms");
      assertThat(r5.effect()).contains("repeat 0.26 %", "save 22,5", "61 %");
      assertThat(r5.changes())
          .extracting(Change::name, Change::next)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("fs.s3a.connection.part.upload.timeout", "5s"));
    }
  }

  @Test
  void theCompletionOfAnUploadMayTakeLong() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests(
          "CompleteMultipartUpload",
          "W",
          20_000,
          0,
          "total_us",
          "case when i < 19980 then 80000 else 20000000 end");
      Advice r5 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R5");
      assertThat(r5.verdict()).isEqualTo(NO_EVIDENCE);
    }
  }

  @Test
  void aTimeoutThatCopiesShareLeavesThemTheirTime() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      String tail = "case when i < 19980 then 80000 else 50000000 end";
      logs.requests("HeadObject", "R", 20_000, 0, "total_us", tail);
      logs.requests("CopyObject", "W", 100, 0, "total_us", "25000000 + i");
      logs.app("4.1.1", "spark.master", "yarn");
      Advice r5 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R5");
      assertThat(r5.changes())
          .extracting(Change::name, Change::next)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("fs.s3a.connection.request.timeout", "30s"));
    }
    try (AdviceFixture logs = AdviceFixture.open(spill.resolve("second"))) {
      String tail = "case when i < 19980 then 80000 else 20000000 end";
      logs.requests("HeadObject", "R", 20_000, 0, "total_us", tail);
      logs.requests("CopyObject", "W", 1, 0, "total_us", "58000000");
      logs.app("4.1.1", "spark.master", "yarn");
      Advice r5 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R5");
      assertThat(r5.verdict()).isEqualTo(DONT);
      assertThat(r5.evidence())
          .contains(
              "A timeout of 60 s is the shortest that suits",
              "including object copies and the completion of uploads")
          .endsWith("the setting is now 60s (default).");
    }
  }

  @Test
  void noLogsAtAllAreNoEvidence() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      List<Advice> all = Advisor.advise(logs.ready(), AdviceOptions.none());
      Map<String, AdviceVerdict> verdicts = verdicts(all);
      assertThat(verdicts.values()).isNotEmpty().allMatch(NO_EVIDENCE::equals);
      assertThat(all).allSatisfy(advice -> assertThat(advice.evidence()).isNotEmpty());
    }
  }

  @Test
  void everyAdviceCarriesItsQueriesAndTheirRows() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      Advice r1 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R1");
      assertThat(r1.proofs()).extracting(proof -> proof.query().name()).contains("load", "sharers");
      assertThat(r1.proofs().get(0).rows().count(0, "writes")).isZero();
    }
  }

  /** A limit that an executor cannot come near does nothing. */
  @Test
  void aLimitFarAboveTheCoresStays() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app(
          "3.5.1",
          "spark.master",
          "k8s://https://api",
          "spark.kubernetes.executor.limit.cores",
          "3400m");
      logs.run(
          "insert into spark_executors(app_id, exec_id, host, cores, added, until, cpu_ms, gc_ms)"
              + " values ('app-1', '1', 'a', 1, timestamp '2024-06-04 14:39:56',"
              + " timestamp '2024-06-04 15:01:23', 1100000, 1000)");
      Advice r11 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R11");
      assertThat(r11.changes())
          .extracting(Change::name)
          .doesNotContain("spark.kubernetes.executor.limit.cores");
    }
  }

  @Test
  void aPodOnKubernetesIsSizedByWhatItUsed() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app(
          "3.5.1",
          "spark.master",
          "k8s://https://api",
          "spark.executor.memory",
          "8g",
          "spark.kubernetes.executor.limit.cores",
          "4");
      logs.run(
          "insert into spark_executors(app_id, exec_id, host, cores, added, until, cpu_ms, gc_ms,"
              + " peak_rss_bytes) values ('app-1', '1', 'a', 4, timestamp '2024-06-04 14:39:56',"
              + " timestamp '2024-06-04 15:01:23', 836550, 1000, 4294967296)");
      Map<String, Advice> all = new LinkedHashMap<>();
      for (Advice advice : Advisor.advise(logs.ready(), AdviceOptions.none())) {
        all.put(advice.rule(), advice);
      }
      assertThat(all.get("R11").changes())
          .extracting(Change::name, Change::now, Change::next)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple(
                  "spark.kubernetes.executor.request.cores",
                  "spark.executor.cores (default)",
                  "0.75"),
              org.assertj.core.groups.Tuple.tuple(
                  "spark.kubernetes.executor.limit.cores", "4", ""));
      assertThat(all.get("R12").changes().get(0).next()).isEqualTo("4283m");
      assertThat(all.get("R6").evidence()).contains("Hadoop 3.3.4");
    }
  }

  @Test
  void aStreamThatWaitsForItsCheckpointIsToldWhereElseItCouldLie() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.app("4.1.1");
      logs.run(
          """
          insert into spark_batches(app_id, query_id, name, batch_id, started, trigger_ms, wal_ms,
            commit_ms, state_commit_ms)
          select 'app-1', 'q', 'clicks', i, timestamp '2024-06-04 14:40:00' + to_seconds(i * 40),
            20000, 2000, 3000, 9000 from range(11) r(i)\
          """);
      logs.requests("PutObject", "W", 4_400, 0, "bytes_in", "10000", "upload_id", "null");
      logs.run("update s3_all set dir = 'check/state/0/1/'");
      Advice r14 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R14");
      assertThat(r14.verdict()).isEqualTo(DO);
      assertThat(r14.evidence()).contains("clicks", "25 % of the time of 11 batches", "$129.60");
      assertThat(r14.changes())
          .extracting(Change::name)
          .contains("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled");
    }
  }

  @Test
  void betweenTheLimitsBothAreToBeMeasured() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("PutObject", "W", 100_000, 17_500, "upload_id", "null");
      Advice r1 = find(Advisor.advise(logs.ready(), AdviceOptions.none()), "R1");
      assertThat(r1.verdict()).isEqualTo(BENCHMARK);
      assertThat(r1.effect()).as("the client is taken for S3A").contains("0.61 to 0.94");
    }
  }

  /** Log-linear between the published quantiles, in microseconds. */
  private static final String PUBLISHED_TAIL =
      """
      cast(1000 * (case
        when u < 0.25 then 5 * power(48 / 5.0, u / 0.25)
        when u < 0.5 then 48 * power(80 / 48.0, (u - 0.25) / 0.25)
        when u < 0.95 then 80 * power(880 / 80.0, (u - 0.5) / 0.45)
        when u < 1 - 26602 / n then 880 * power(5000 / 880.0, (u - 0.95) / (0.05 - 26602 / n))
        when u < 1 - 15866 / n then 5000 * power(2, (u - 1 + 26602 / n) / (10736 / n))
        when u < 1 - 14 / n then 10000 * power(3, (u - 1 + 15866 / n) / (15852 / n))
        when u < 1 - 4 / n then 30000 * power(2, (u - 1 + 14 / n) / (10 / n))
        else 60000 * power(2, (u - 1 + 4 / n) / (4 / n)) end) as bigint)\
      """
          .replace("u ", "((i + 0.5) / 1020880) ")
          .replace("(u", "(((i + 0.5) / 1020880)")
          .replace("/ n", "/ 10208803.0");

  private static void write(
      AdviceFixture logs,
      double mib,
      long parts,
      long throttledParts,
      long creates,
      long throttledCreates,
      long completes,
      long throttledCompletes)
      throws IOException {
    String upload = "'u' || (i % " + (completes - throttledCompletes) + ")";
    String bytes = Long.toString(Math.round(mib * 1024 * 1024));
    logs.requests("UploadPart", "W", parts, throttledParts, "upload_id", upload, "bytes_in", bytes);
    logs.requests("CreateMultipartUpload", "W", creates, throttledCreates, "upload_id", upload);
    logs.requests(
        "CompleteMultipartUpload", "W", completes, throttledCompletes, "upload_id", upload);
  }

  private static AdviceOptions own(String who) {
    AdviceOptions none = AdviceOptions.none();
    return new AdviceOptions(
        none.cores(),
        java.util.Optional.of(who),
        none.app(),
        none.hadoop(),
        none.client(),
        none.prices());
  }

  private static Advice find(List<Advice> all, String rule) {
    return all.stream()
        .filter(advice -> advice.rule().equals(rule))
        .findFirst()
        .orElseThrow(() -> new AssertionError(rule + " is not in " + verdicts(all)));
  }

  private static Map<String, AdviceVerdict> verdicts(List<Advice> all) {
    Map<String, AdviceVerdict> verdicts = new LinkedHashMap<>();
    all.forEach(advice -> verdicts.put(advice.rule(), advice.verdict()));
    return verdicts;
  }
}
