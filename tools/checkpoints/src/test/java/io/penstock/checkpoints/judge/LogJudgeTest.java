/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.facts.Resume;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.Written;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogJudgeTest {
  @Test
  void aCheckpointAtRestIsHealthy() {
    assertThat(Written.batches(5, 5).findings()).isEmpty();
  }

  @Test
  void aBatchInFlightIsHealthy() {
    CheckpointReport report = Written.batches(5, 4).check();
    assertThat(report.findings()).isEmpty();
    assertThat(report.facts().resume()).isEqualTo(new Resume(Resume.Case.AGAIN, 5, 5));
  }

  @Test
  void aFirstBatchInFlightIsHealthy() {
    assertThat(Written.batches(0, -1).findings()).isEmpty();
  }

  @Test
  void aCheckpointBeforeItsFirstBatchIsHealthy() {
    assertThat(Written.batches(-1, -1).findings()).isEmpty();
  }

  @Test
  void twoBatchesWithoutCommitMayLoseRows() {
    assertThat(Written.batches(5, 3).findings())
        .containsExactly("corrupts: More than one batch has no commit. commits/4 to 5");
  }

  @Test
  void aCommitWithoutOffsetsStops() {
    assertThat(Written.batches(5, 5).without("offsets/5").findings())
        .containsExactly("stops: A committed batch has no offsets. commits/5");
  }

  @Test
  void theOffsetsBeforeTheNewestAreNeeded() {
    assertThat(Written.batches(5, 5).without("offsets/4").findings())
        .containsExactly("stops: The offsets before the newest are missing. offsets/4");
  }

  @Test
  void asynchronousProgressLeavesTheSameHolesInBothLogs() {
    Written async = Written.batches(9, 9);
    for (int batch : new int[] {1, 2, 4, 5, 8}) {
      async.without("offsets/" + batch).without("commits/" + batch);
    }
    assertThat(async.check().isHealthy()).isTrue();
    assertThat(async.findings())
        .contains(
            "notice: The offsets before the newest are missing. offsets/8",
            "notice: Batches are missing from the commits. commits/4 to 5");
  }

  /** Between an offset and its commit, as a query with asyncProgressTracking always is. */
  @Test
  void anAsynchronousQueryWithoutItsLastCommitIsHealthy() {
    Written async = Written.batches(9, 9).without("commits/9");
    for (int batch : new int[] {1, 2, 4, 5, 7, 8}) {
      async.without("offsets/" + batch).without("commits/" + batch);
    }
    assertThat(async.check().isHealthy()).isTrue();
    assertThat(async.findings()).contains("notice: Batches have no commit. commits/7 to 9");
  }

  /** Nothing else is missing, so the query is none of those that need no offsets before. */
  @Test
  void aHoleBeforeACommittedBatchStopsToo() {
    Written hole = Written.batches(9, 9).without("offsets/8").without("commits/8");
    assertThat(hole.findings())
        .contains("stops: The offsets before the newest are missing. offsets/8");
  }

  /** SPARK-38033: Spark stops at each start. */
  @Test
  void aHoleBeforeTheNewestOffsetsStops() {
    assertThat(Written.batches(9, 7).without("offsets/8").findings())
        .containsExactly("stops: The offsets before the newest are missing. offsets/8");
  }

  @Test
  void whatWasPurgedIsNoHole() {
    Written purged = Written.batches(9, 9);
    for (int batch = 0; batch < 5; batch++) {
      purged.without("offsets/" + batch).without("commits/" + batch);
    }
    assertThat(purged.without("commits/5").findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\u0000\u0000\u0000",
        "v",
        "v1",
        "v1\n",
        "v1\n{}",
        "v1\n{\"conf\":{",
        "1\n{}\n{}",
        "v1\n{}\n{\"offset\":12",
        "v2\n{}\nno colon",
        "v2\n\na:{}"
      })
  void newestOffsetsThatAreNotWholeStop(String text) {
    assertThat(Written.batches(5, 4).text("offsets/5", text).findings())
        .containsExactly("stops: The newest offsets cannot be read. offsets/5");
  }

  @Test
  void offsetsOfANewerSparkAreNotJudged() {
    assertThat(Written.batches(5, 4).text("offsets/5", "v99\n{}\n{}").findings())
        .noneMatch(finding -> finding.startsWith("stops"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1\n{}\n-",
        "v1\n\n5",
        "v2\n{}\na:-",
        "v1\n{\"conf\":{}}\nplain text of a source"
      })
  void offsetsOfEverySortAreRead(String text) {
    assertThat(Written.batches(5, 4).text("offsets/5", text).findings()).isEmpty();
  }

  @Test
  void anOffsetCutAtTheEndOfALineIsSeenByTheNumberOfSources() {
    Written two = Written.batches(5, 4);
    two.text("offsets/4", "v1\n{}\n{}\n{}");
    assertThat(two.findings())
        .containsExactly(
            "stops: The newest two batches have different numbers of sources. offsets/5");
  }

  @Test
  void offsetsThatGoBackInTheLogOfAFileSourceStop() {
    Written written = Written.batches(5, 4);
    written.text("offsets/4", "v1\n{}\n{\"logOffset\":4}");
    written.text("sources/0/4.compact", "v1\n{\"path\":\"a\"}");
    assertThat(written.text("offsets/5", "v1\n{}\n{\"logOffset\":4}").findings()).isEmpty();
    assertThat(written.text("offsets/5", "v1\n{}\n{\"logOffset\":3}").findings())
        .containsExactly("stops: The newest offsets are older than those before them. offsets/5");
    assertThat(written.check().findings().get(0).meaning())
        .contains("This happens when two runs use a checkpoint at once");
    assertThat(written.text("commits/5", "v1\n{}").findings()).isEmpty();
  }

  @Test
  void aLogOfAFileSourceThatHasLostEntriesStops() {
    Written written = Written.batches(5, 5);
    written.text("offsets/5", "v1\n{}\n{\"logOffset\":4}");
    assertThat(written.findings())
        .containsExactly("stops: The log of a file source has lost entries. sources/0/");
    written.text("sources/0/3.compact", "v1\n{\"path\":\"a\"}");
    assertThat(written.check().findings().get(0).meaning())
        .startsWith("Batch 5 reads the log up to entry 4, but the newest is 3.");
    assertThat(written.text("sources/0/4", "v1\n{\"path\":\"b\"}").findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v1\n{\"nextBatch", "v2", "garbage", "v1\n[]"})
  void aNewestCommitThatIsNotWholeStops(String text) {
    assertThat(Written.batches(5, 5).text("commits/5", text).findings())
        .containsExactly("stops: The newest commit cannot be read. commits/5");
  }

  @Test
  void aCommitWithoutItsWatermarkIsReadAsZero() {
    assertThat(Written.batches(5, 5).text("commits/5", "v1").findings())
        .containsExactly("corrupts: The newest commit has lost its watermark. commits/5");
  }

  @Test
  void olderFilesDoNotMatter() {
    assertThat(Written.batches(5, 5).text("commits/2", "").text("offsets/1", "").check())
        .matches(CheckpointReport::isHealthy)
        .satisfies(report -> assertThat(report.findings()).hasSize(2));
  }

  @Test
  void theQuerysIdIsNeededWhenABatchIsInFlight() {
    assertThat(Written.batches(5, 4).without("metadata").check().isHealthy()).isFalse();
    assertThat(Written.batches(5, 5).without("metadata").check().isHealthy()).isTrue();
    assertThat(Written.batches(5, 5).text("metadata", "{}").findings())
        .containsExactly("stops: The query's id cannot be read. metadata");
  }

  @Test
  void stateWithoutOffsetsStops() {
    assertThat(new Written().withDeltas(1).text("metadata", "{\"id\":\"x\"}").findings())
        .contains("stops: There are no offsets. offsets/");
  }

  @Test
  void onlyTheNewestFilesAreRead() {
    Written many = Written.batches(99, 99);
    many.check();
    assertThat(many.reads).hasSize(41).doesNotContainKey("offsets/79").containsKey("offsets/80");
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() {
    Written large = Written.batches(5, 4).bytes("offsets/5", new byte[(16 << 20) + 1]);
    assertThat(large.findings()).containsExactly("notice: A file was not judged. offsets/5");
    assertThat(large.reads).doesNotContainKey("offsets/5");
  }

  @Test
  void aFarNumberInANameDoesNotMakeManyFindings() {
    assertThat(Written.batches(5, 5).text("offsets/999999999999", Written.offsets(1)).findings())
        .hasSizeLessThan(6);
  }

  @Test
  void leftoversAreNotices() {
    Written left =
        Written.batches(5, 5)
            .text("offsets/.6.0d5a3396-da26-4587-a49e-c3a99cbaf7d9.tmp", "v1")
            .text("offsets/.5.crc", "crc")
            .text("offsets/.77.crc", "crc")
            .text("commits/5 (copy)", "v1");
    assertThat(left.findings())
        .containsExactly(
            "notice: A file in a log directory is not named after a batch. commits/5 (copy)",
            "notice: A temporary file was left over."
                + " offsets/.6.0d5a3396-da26-4587-a49e-c3a99cbaf7d9.tmp",
            "notice: A checksum belongs to a file that does not exist. offsets/.77.crc");
  }

  @Test
  void writersAreShownAndTheirClaimsRead() {
    Written claimed =
        Written.batches(1, 1)
            .text(
                "_penstock_writers/000003",
                "{\"epoch\":3,\"application\":\"app-1\",\"host\":\"h\",\"pid\":7,\"run\":\"r\","
                    + "\"started\":\"2026-03-01T10:00:00Z\"}")
            .text("_penstock_writers/000004", "{");
    CheckpointReport report = claimed.check();
    assertThat(report.facts().writers().get(3L).value())
        .contains(new WriterClaim("3", "app-1", "h", "7", "r", "2026-03-01T10:00:00Z"));
    assertThat(Written.lines(report))
        .containsExactly("notice: The claim of a run cannot be read. _penstock_writers/000004");
  }

  @Test
  void whatARepairPutAsideIsNotLookedAt() {
    assertThat(
            Written.batches(1, 1)
                .text("_penstock_repair/20260301T100000Z/offsets/9", "")
                .check()
                .facts()
                .layout()
                .all())
        .hasSize(5);
  }

  @Test
  void aLogOfDataFilesMustReachBackToItsCompactFile() {
    Written source = Written.batches(5, 5);
    String entry = "v1\n{\"path\":\"file:///in/a\",\"timestamp\":1,\"batchId\":0}";
    source.text("sources/0/8", entry).text("sources/0/9.compact", entry);
    source.text("sources/0/10", entry).text("sources/0/11", entry);
    assertThat(source.findings()).isEmpty();
    assertThat(source.without("sources/0/10").findings())
        .containsExactly("stops: A log that lists data files has a gap. sources/0/10");
    assertThat(source.text("sources/0/11", "").findings())
        .contains(
            "stops: The newest file of a log that lists data files cannot be read. sources/0/11");
  }

  @Test
  void aSourcesOwnFirstOffsetsMayBeAnything() {
    assertThat(Written.batches(5, 5).bytes("sources/0/0", new byte[] {0, 'v', '1'}).findings())
        .isEmpty();
    assertThat(Written.batches(5, 5).bytes("sources/0/0", new byte[0]).findings())
        .containsExactly("stops: A source's file is empty. sources/0/0");
  }

  @Test
  void aSinkWithoutItsLogHidesWhatWasWritten() {
    CheckOptions options = new CheckOptions(20, false, java.util.Optional.of(new Written()));
    assertThat(Written.lines(Written.batches(5, 5).check(options)))
        .singleElement()
        .asString()
        .startsWith("corrupts: The sink does not have the newest batch that was committed.");
  }

  @Test
  void aSinkThatIsAheadDropsRows() {
    Map<Integer, String> expected =
        Map.of(
            7, "corrupts: The sink has batches that the checkpoint does not know. ",
            3, "corrupts: The sink does not have the newest batch that was committed. ");
    expected.forEach(
        (newest, line) -> {
          Written sink = new Written();
          for (int batch = 0; batch <= newest; batch++) {
            sink.text("_spark_metadata/" + batch, "v1");
          }
          CheckOptions options = new CheckOptions(20, false, java.util.Optional.of(sink));
          assertThat(Written.lines(Written.batches(5, 4).check(options)))
              .singleElement()
              .asString()
              .startsWith(line);
        });
  }
}
