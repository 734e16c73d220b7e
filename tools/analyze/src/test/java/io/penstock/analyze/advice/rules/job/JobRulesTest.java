/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.rules.facts.GivenSettings;
import io.penstock.analyze.advice.rules.facts.Stages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests R7 to R10, R13 to R16, R18 and R19: reads, checkpoints, commits and logs. */
class JobRulesTest {
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @CsvSource({
    // vectored, reads, median in bytes, scan %
    "false, 1000, 7549748, 40, DO",
    "false, 1000, 7549747, 40, DONT",
    "false, 1000, 9227468, 40, DO",
    "false, 1000, 9227469, 40, DONT",
    "false, 1000, 8388608, 39.9, DONT",
    "false, 999, 8388608, 40, NO_EVIDENCE",
    "true, 1000, 8388608, 90, DONT"
  })
  void theAllocationSizeIsForReadsThatAreHeldUpAtEightMiB(
      boolean isVectored, long gets, long median, double scan, AdviceVerdict verdict) {
    AllocationSize.Facts facts =
        new AllocationSize.Facts(isVectored, gets, median, scan, 8 * MIB, 512 * MIB, 8192 * MIB, 4);
    Advice r7 = new AllocationSize().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r7.verdict()).isEqualTo(verdict);
    if (verdict == AdviceVerdict.DO) {
      assertThat(r7.changes().get(0).next()).isEqualTo("134217728");
    }
  }

  @Test
  void buffersFitIntoAQuarterOfTheHeap() {
    // 16 tasks in 4 GiB have 64 MiB each.
    assertThat(
            new AllocationSize.Facts(false, 1_000, 8 * MIB, 50, 8 * MIB, 512 * MIB, 4096 * MIB, 16)
                .best())
        .isEqualTo(64 * MIB);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 2097151, 10, 1048575, BENCHMARK",
    "1000, 2097152, 10, 1048575, DONT",
    "1000, 2097151, 10, 1048576, DONT",
    "1000, 2097151, 0, 0, NO_EVIDENCE",
    "999, 2097151, 10, 0, NO_EVIDENCE"
  })
  void smallVectoredReadsCloseTogetherAreATrial(
      long gets, long median, long files, long gap, AdviceVerdict verdict) {
    VectoredReads.Facts facts = new VectoredReads.Facts(true, gets, median, files, gap);
    assertThat(
            new VectoredReads().judge(facts, GivenSettings.spark("4.1.1")).orElseThrow().verdict())
        .isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    // file MiB, median read in bytes, heap MiB, what to set
    "13000, 8388607, 8192, BENCHMARK, 536870912",
    "13000, 8388608, 8192, DONT, ''",
    "300, 1000, 8192, BENCHMARK, 268435456",
    // 2 x 256 MiB x 4 tasks do not fit into less than 2 GiB.
    "13000, 1000, 2047, DONT, ''",
    "13000, 1000, 2048, BENCHMARK, 268435456",
    "128, 1000, 8192, DONT, ''"
  })
  void rowGroupsGrowAsFarAsFilesAndMemoryAllow(
      long fileMib, long median, long heapMib, AdviceVerdict verdict, String value) {
    RowGroupSize.Facts facts =
        new RowGroupSize.Facts(
            fileMib * MIB, 9 * fileMib * MIB, 128 * MIB, 1_000, median, heapMib * MIB, 4);
    Advice r9 = new RowGroupSize().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r9.verdict()).isEqualTo(verdict);
    assertThat(r9.changes().stream().map(change -> change.next()).findFirst().orElse(""))
        .isEqualTo(value);
  }

  @Test
  void aFileSmallerThanARowGroupIsTheLimitItself() {
    RowGroupSize.Facts facts =
        new RowGroupSize.Facts(127 * MIB, 1270 * MIB, 128 * MIB, 0, 0, 8192 * MIB, 4);
    Advice r9 = new RowGroupSize().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r9.verdict()).isEqualTo(AdviceVerdict.BENCHMARK);
    assertThat(r9.changes().get(0).name()).isEqualTo("size of the files written");
  }

  @ParameterizedTest
  @CsvSource({
    // file in bytes, all bytes, what is said
    "2000, 1200000, 'All files together have 1.1 MiB, less than one row group of 128 MiB.'",
    "9000000, 9000000000, 'The files have 8.6 MiB each, far less than a row group (128 MiB), so the"
        + " size of the files matters'"
  })
  void littleDataAndTinyFilesAreNoMatterOfRowGroups(long file, long all, String said) {
    RowGroupSize.Facts facts = new RowGroupSize.Facts(file, all, 128 * MIB, 0, 0, 8192 * MIB, 4);
    Advice r9 = new RowGroupSize().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r9.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(r9.evidence()).contains(said);
  }

  @ParameterizedTest
  @CsvSource({
    // tasks, empty, median ms, GiB, row group MiB, verdict, value
    "800, 160, 5000, 100, 512, DO, 536870912",
    "800, 159, 5000, 100, 512, DONT, ''",
    "800, 400, 5000, 100, 128, DONT, ''",
    "801, 0, 1999, 105, 128, DO, 536870912",
    "800, 0, 1999, 105, 128, DONT, ''",
    "801, 0, 2000, 105, 128, DONT, ''",
    "79, 0, 90000, 10, 128, DONT, ''",
    "30, 0, 90000, 10, 8, DONT, ''",
    // A quarter of the cores have no task, though there are 256 row groups.
    "29, 0, 90000, 2, 8, BENCHMARK, 40",
    // Sixteen row groups are sixteen tasks.
    "16, 0, 90000, 2, 128, DONT, ''"
  })
  void partitionsFollowRowGroupsAndCores(
      long tasks,
      long empty,
      double median,
      long gib,
      long group,
      AdviceVerdict verdict,
      String value) {
    PartitionBytes.Facts facts =
        new PartitionBytes.Facts(
            new Stages.Scan(3, tasks, empty, median, gib << 30, 60_000, 0),
            40,
            128 * MIB,
            group * MIB);
    Advice r10 = new PartitionBytes().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r10.verdict()).isEqualTo(verdict);
    assertThat(r10.changes().stream().map(change -> change.next()).findFirst().orElse(""))
        .isEqualTo(value);
  }

  @Test
  void largerPartitionsAreNotForTasksThatSpill() {
    PartitionBytes.Facts facts =
        new PartitionBytes.Facts(
            new Stages.Scan(3, 800, 400, 5_000, 100L << 30, 60_000, 1L << 30),
            40,
            128 * MIB,
            512 * MIB);
    Advice r10 = new PartitionBytes().judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
    assertThat(r10.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(r10.evidence()).contains("spilled 1 GiB");
  }

  /** Photon and bucketed tables read parts of files whose sizes the log tells whole. */
  @Test
  void sizesThatNoTaskCanHaveReadAreNoEvidence() {
    PartitionBytes.Facts facts =
        new PartitionBytes.Facts(
            new Stages.Scan(3, 431, 0, 1_800, 409L << 30, 60_000, 0), 16, 128 * MIB, 128 * MIB);
    Advice r10 = new PartitionBytes().judge(facts, GivenSettings.spark("3.4.1")).orElseThrow();
    assertThat(r10.verdict()).isEqualTo(AdviceVerdict.NO_EVIDENCE);
    assertThat(r10.evidence()).contains("the size of whole files");
  }

  @Test
  void sparkBefore31HasNoLeastNumberOfPartitions() {
    PartitionBytes.Facts facts =
        new PartitionBytes.Facts(
            new Stages.Scan(3, 29, 0, 90_000, 2L << 30, 60_000, 0), 40, 128 * MIB, 8 * MIB);
    assertThat(
            new PartitionBytes().judge(facts, GivenSettings.spark("3.0.3")).orElseThrow().changes())
        .extracting("name", "next")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("spark.sql.files.maxPartitionBytes", "53687091"));
  }

  /** Twenty files that cannot be cut: larger partitions are no work for all cores. */
  @Test
  void moreTasksAreNeverMadeByLargerPartitions() {
    PartitionBytes.Facts facts =
        new PartitionBytes.Facts(
            new Stages.Scan(3, 20, 0, 90_000, 20L << 30, 60_000, 0), 40, 128 * MIB, 128 * MIB);
    assertThat(
            new PartitionBytes().judge(facts, GivenSettings.spark("3.0.3")).orElseThrow().verdict())
        .isEqualTo(AdviceVerdict.DONT);
  }

  @ParameterizedTest
  @CsvSource({
    // look-ups, NXDOMAIN, of S3, with a search domain, requests
    "100, 20, 10, 8, 1000, DO",
    "100, 19, 10, 8, 1000, DONT",
    "100, 19, 100, 8, 1000, DO",
    "100, 19, 99, 8, 1000, DONT",
    "100, 80, 10, 0, 1000, DONT",
    "0, 0, 0, 0, 1000, NO_EVIDENCE"
  })
  void ndotsIsForLookupsThatFailOrAreMany(
      long all, long nxdomain, long s3, long expanded, long requests, AdviceVerdict verdict) {
    Ndots.Facts facts = new Ndots.Facts(all, nxdomain, s3, expanded, requests);
    assertThat(new Ndots().judge(facts).orElseThrow().verdict()).isEqualTo(verdict);
  }

  @Test
  void aCheckpointThatMayLieOnADiskIsNotSaidToLieInS3() {
    CheckpointStore rule = new CheckpointStore();
    CheckpointStore.Facts slow = new CheckpointStore.Facts("q", 10, 10_000, 2_500, 0, 40, 0, 0, 0);
    Prices prices = Prices.usEast1();
    assertThat(rule.judge(slow, GivenSettings.spark("4.1.1"), prices).orElseThrow().verdict())
        .isEqualTo(AdviceVerdict.NO_EVIDENCE);
    String location = "spark.sql.streaming.checkpointLocation";
    assertThat(
            rule.judge(slow, GivenSettings.spark("4.1.1", location, "s3a://b/c"), prices)
                .orElseThrow()
                .verdict())
        .isEqualTo(AdviceVerdict.DO);
    CheckpointStore.Facts quick = new CheckpointStore.Facts("q", 10, 5_000, 1_100, 0, 40, 0, 0, 0);
    assertThat(rule.judge(quick, GivenSettings.spark("4.1.1"), prices).orElseThrow().verdict())
        .isEqualTo(AdviceVerdict.DONT);
  }

  @ParameterizedTest
  @CsvSource({"1999, DONT", "2000, DO"})
  void aCheckpointIsSlowFromAFifthOfTheTimeOn(double logMs, AdviceVerdict verdict) {
    CheckpointStore.Facts facts =
        new CheckpointStore.Facts("q", 10, 100_000, 10 * logMs, 0, 40, 40, 0, 0);
    Advice r14 =
        new CheckpointStore()
            .judge(facts, GivenSettings.spark("3.5.1"), Prices.usEast1())
            .orElseThrow();
    assertThat(r14.verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    // _temporary, copies, deletes, writes
    "1, 0, 0, 1000, DO",
    "0, 1, 49, 1000, DONT",
    "0, 1, 50, 1000, DO",
    "0, 0, 500, 1000, DONT",
    "0, 0, 0, 0, NO_EVIDENCE"
  })
  void renamesAreCopiesAndTemporaryKeysButNotDeletesAlone(
      long temporary, long copies, long deletes, long writes, AdviceVerdict verdict) {
    Committer.Facts facts = new Committer.Facts(temporary, copies, deletes, writes);
    Committer rule = new Committer();
    if (verdict == AdviceVerdict.NO_EVIDENCE) {
      assertThat(rule.judge(facts, GivenSettings.unknown()).orElseThrow().verdict())
          .isEqualTo(verdict);
    } else {
      Advice r15 = rule.judge(facts, GivenSettings.spark("3.5.1")).orElseThrow();
      assertThat(r15.verdict()).isEqualTo(verdict);
    }
  }

  /** A setting that is so already is not advised: the renames are another job's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3.5.1 | spark.plugins | io.penstock.spark.PenstockPlugin | 0",
        "3.5.1 | spark.hadoop.fs.s3.impl | com.amazon.ws.emr.hadoop.fs.EmrFileSystem | 0",
        "3.5.1 | spark.hadoop.fs.s3a.committer.name | magic | 2",
        "3.5.1 | spark.hadoop.fs.s3a.committer.magic.enabled | false | 4",
        "3.5.1 | spark.sql.shuffle.partitions | 9 | 3"
      })
  void aCommitterThatIsSetIsNotAdvised(String spark, String name, String value, int changes) {
    Advice r15 =
        new Committer()
            .judge(new Committer.Facts(9, 9, 9, 100), GivenSettings.spark(spark, name, value))
            .orElseThrow();
    assertThat(r15.changes()).hasSize(changes);
    assertThat(r15.verdict()).isEqualTo(changes == 0 ? AdviceVerdict.DONT : AdviceVerdict.DO);
  }

  @Test
  void aCommitterThatNobodyKnowsIsAdvised() {
    JobSettings emrfs =
        GivenSettings.agent("ElasticMapReduce/1.0.0 emrfs/s3n {}, aws-sdk-java/1.12");
    Advice r15 = new Committer().judge(new Committer.Facts(9, 9, 9, 100), emrfs).orElseThrow();
    assertThat(r15.verdict()).isEqualTo(AdviceVerdict.DO);
    assertThat(r15.changes()).extracting("now").containsExactly("not known");
  }

  @ParameterizedTest
  @CsvSource({
    // lists, heads, gets, heads of objects, keys
    "500, 500, 1999, 500, 500, DO",
    "500, 500, 2000, 500, 500, DONT",
    "499, 500, 100, 500, 500, DONT",
    "0, 1500, 9000, 1500, 500, DO",
    "0, 1499, 9000, 1499, 500, DONT",
    "0, 0, 0, 0, 0, NO_EVIDENCE"
  })
  void metadataIsMuchBesideTheReads(
      long lists, long heads, long gets, long objectHeads, long keys, AdviceVerdict verdict) {
    Metadata.Facts facts = new Metadata.Facts(lists, heads, gets, objectHeads, keys);
    assertThat(new Metadata().judge(facts).orElseThrow().verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, 1, DONT",
    "true, true, 0, NO_EVIDENCE",
    "true, false, 1, NO_EVIDENCE",
    "false, true, 1, NO_EVIDENCE"
  })
  void whatIsMissingIsNamed(boolean access, boolean events, long audited, AdviceVerdict verdict) {
    EvidenceQuality.Facts facts =
        new EvidenceQuality.Facts(100, 100, 0, audited, access, events, 100, 0, "");
    Advice r18 = new EvidenceQuality().judge(facts, GivenSettings.spark("4.1.1")).orElseThrow();
    assertThat(r18.verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    // addresses, requests from elsewhere, hosts
    "9, 0, 9, DONT",
    "9, 1, 9, DO",
    "1, 0, 2, DO",
    "1, 0, 1, DONT"
  })
  void oneAddressForManyHostsIsAGateway(
      long addresses, long foreign, int hosts, AdviceVerdict verdict) {
    RequestPath.Facts facts =
        new RequestPath.Facts(100, addresses, "52.1.2.3", foreign, "eu-west-1", hosts);
    assertThat(new RequestPath().judge(facts).orElseThrow().verdict()).isEqualTo(verdict);
  }
}
