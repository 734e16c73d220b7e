/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.Written;
import io.penstock.checkpoints.state.StateChain;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StateJudgeTest {
  private static final String P0 = "state/0/0/";

  /** With the directory state/ gone, the query looks as if it had none. */
  @Test
  void stateThatOnlyTheCommitTellsOfIsMissing() {
    String ids = "v2\n{\"nextBatchWatermarkMs\":0,\"stateUniqueIds\":{\"0\":[[\"a\"],[\"b\"]]}}";
    assertThat(Written.batches(1, 1).text("commits/1", ids).findings())
        .containsExactly(
            "stops: A partition of the state is missing. state/0/0/",
            "stops: A partition of the state is missing. state/0/1/");
  }

  /** Spark tells no ids of its usual state files: only the watermark hints at state. */
  @Test
  void aWatermarkWithoutStateIsWorthANotice() {
    String watermark = "v1\n{\"nextBatchWatermarkMs\":10000}";
    assertThat(Written.batches(1, 1).text("commits/1", watermark).findings())
        .containsExactly(
            "notice: The query has a watermark, and the checkpoint has no state. state");
    assertThat(Written.batches(1, 1).withDeltas(2).text("commits/1", watermark).findings())
        .isEmpty();
  }

  @Test
  void aChainOfDeltasLoadsTheVersionOfTheNewestBatch() {
    CheckpointReport report = Written.batches(5, 5).withDeltas(6).check();
    assertThat(report.findings()).isEmpty();
    StateChain chain = report.facts().chains().get(new StoreId(0, 1, "default"));
    assertThat(chain.files()).hasSize(6);
  }

  @Test
  void aMissingDeltaStops() {
    assertThat(Written.batches(5, 5).withDeltas(6).without("state/0/1/3.delta").findings())
        .containsExactly("stops: A state file is missing. state/0/1/3.delta");
  }

  @Test
  void aSnapshotStandsForOlderDeltas() {
    Written state = Written.batches(5, 5).withDeltas(6);
    for (int partition = 0; partition < 2; partition++) {
      state.text("state/0/" + partition + "/4.snapshot", "x");
      for (int version = 1; version <= 4; version++) {
        state.without("state/0/" + partition + "/" + version + ".delta");
      }
    }
    assertThat(state.findings()).isEmpty();
    assertThat(state.without("state/0/0/4.snapshot").findings())
        .containsExactly(
            "stops: A state file is missing. state/0/0/1 to 4.delta, or a snapshot among them");
  }

  @Test
  void aBatchInFlightNeedsOnlyTheVersionBeforeIt() {
    assertThat(Written.batches(5, 4).withDeltas(5).findings()).isEmpty();
    assertThat(Written.batches(5, 4).withDeltas(6).findings()).isEmpty();
    assertThat(Written.batches(5, 4).withDeltas(4).findings())
        .containsExactly(
            "stops: A state file is missing. state/0/0/5.delta",
            "stops: A state file is missing. state/0/1/5.delta");
  }

  @Test
  void aFirstBatchNeedsNone() {
    assertThat(Written.batches(0, -1).withDeltas(0).findings()).isEmpty();
  }

  @Test
  void aPartitionWithoutFilesStops() {
    Written state = Written.batches(1, 1).withDeltas(2);
    assertThat(state.without("state/0/1/1.delta").without("state/0/1/2.delta").findings())
        .containsExactly("stops: A partition of the state is missing. state/0/1/");
  }

  @Test
  void anEmptyDeltaStops() {
    assertThat(Written.batches(1, 1).withDeltas(2).text("state/0/1/2.delta", "").findings())
        .containsExactly("stops: A state file is empty. state/0/1/2.delta");
  }

  @Test
  void stateOfBatchesThatNobodyPlannedIsANotice() {
    assertThat(Written.batches(1, 1).withDeltas(9).findings())
        .containsExactly(
            "notice: The state is newer than the offsets. state/0/0/9",
            "notice: The state is newer than the offsets. state/0/1/9");
  }

  @Test
  void theStoresOfAJoinAreSeparate() {
    Written join = Written.batches(0, 0);
    join.text(P0 + "left-keyToNumValues/1.delta", "x")
        .text(P0 + "right-keyToNumValues/1.delta", "x");
    join.text("state/0/1/left-keyToNumValues/1.delta", "x");
    join.text(P0 + "left-keyToNumValues/_metadata/schema", "x");
    assertThat(join.findings())
        .containsExactly(
            "stops: A store of a partition of the state is missing."
                + " state/0/1/right-keyToNumValues/");
  }

  @Test
  void aSnapshotOfRocksDbNeedsItsFiles() {
    Written rocks = Written.batches(1, 1).withZip(P0, "2.zip", "1-abc.sst");
    assertThat(rocks.findings()).isEmpty();
    assertThat(rocks.text(P0 + "SSTs/1-abc.sst", "longer").findings())
        .containsExactly(
            "stops: A file of a RocksDB snapshot has the wrong size. state/0/0/SSTs/1-abc.sst");
    assertThat(rocks.without(P0 + "SSTs/1-abc.sst").findings())
        .containsExactly(
            "stops: A file of a RocksDB snapshot is missing. state/0/0/SSTs/1-abc.sst");
  }

  @Test
  void aSnapshotThatIsNoZipStops() {
    Written rocks = Written.batches(1, 1).withZip(P0, "2.zip", "1-abc.sst");
    byte[] whole = rocks.files.get(P0 + "2.zip");
    assertThat(rocks.bytes(P0 + "2.zip", java.util.Arrays.copyOf(whole, 40)).findings())
        .containsExactly("stops: A RocksDB snapshot cannot be read. state/0/0/2.zip");
    assertThat(rocks.bytes(P0 + "2.zip", Written.zip(Map.of("CURRENT", "x"))).findings())
        .containsExactly("stops: A RocksDB snapshot cannot be read. state/0/0/2.zip");
  }

  @Test
  void changelogsSinceASnapshotAreNeededAndOlderOnesGetAround() {
    Written rocks = Written.batches(3, 3).withZip(P0, "2.zip", "1-abc.sst");
    for (int version = 1; version <= 4; version++) {
      rocks.text(P0 + version + ".changelog", "x");
    }
    assertThat(rocks.findings()).isEmpty();
    assertThat(rocks.without(P0 + "SSTs/1-abc.sst").check().findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.advice()).contains("autoSnapshotRepair"));
    assertThat(rocks.without(P0 + "3.changelog").findings())
        .contains("stops: A state file is missing. state/0/0/3.changelog");
  }

  @Test
  void namesWithIdsMustBeThoseOfTheCommit() {
    Written rocks = Written.batches(1, 1);
    rocks.text(
        "commits/1", "v2\n{\"nextBatchWatermarkMs\":0,\"stateUniqueIds\":{\"0\":[[\"b\"]]}}");
    rocks.text(
        "commits/0", "v2\n{\"nextBatchWatermarkMs\":0,\"stateUniqueIds\":{\"0\":[[\"a\"]]}}");
    rocks.text(P0 + "1_a.changelog", "x").text(P0 + "2_b.changelog", "x");
    rocks.text(P0 + "2_lost.changelog", "of an attempt that lost");
    assertThat(rocks.findings()).isEmpty();
    assertThat(rocks.without(P0 + "2_b.changelog").findings())
        .containsExactly("stops: A state file is missing. state/0/0/2_b.changelog");
  }

  @Test
  void aChecksumOfAnotherSizeStopsWithoutReadingTheFile() {
    Written state = Written.batches(1, 1).withDeltas(2).withSide("state/0/0/2.delta");
    assertThat(state.findings()).isEmpty();
    assertThat(state.text("state/0/0/2.delta", "longer than before").findings())
        .containsExactly("stops: A state file and its checksum do not match. state/0/0/2.delta");
    assertThat(state.reads).doesNotContainKey("state/0/0/2.delta");
  }

  @Test
  void otherBytesOfTheSameSizeAreSeenWhenAskedFor() {
    Written state = Written.batches(1, 1).withDeltas(2).withSide("state/0/0/2.delta");
    state.text("state/0/0/2.delta", "delta X");
    assertThat(state.findings()).isEmpty();
    assertThat(Written.lines(state.check(new CheckOptions(20, true, Optional.empty()))))
        .containsExactly("stops: A state file and its checksum do not match. state/0/0/2.delta");
  }

  @Test
  void aQueryStartsWithoutTheDescriptionOfItsOperator() {
    Written state = Written.batches(1, 1).withDeltas(2).text("state/0/_metadata/metadata", "");
    assertThat(state.findings())
        .containsExactly(
            "notice: The description of a stateful operator cannot be read."
                + " state/0/_metadata/metadata");
  }

  @Test
  void aHostileNumberOfPartitionsIsNotAMillionFindings() {
    Written state = Written.batches(1, 1).withDeltas(2);
    state.text(
        "state/0/_metadata/metadata",
        "v1\n{\"operatorInfo\":{},\"stateStoreInfo\":[{\"storeName\":\"default\","
            + "\"numPartitions\":9000000000}]}");
    assertThat(state.findings()).hasSize(1000);
  }

  @Test
  @Timeout(20)
  void aHostileNumberInANameEnds() {
    Written state = Written.batches(1, 1).withDeltas(2);
    state.text("state/0/999999999999999999/1.delta", "x");
    state.text("state/0/_metadata/metadata", "v1\n{}");
    assertThat(state.findings()).hasSize(1001);
    assertThat(Written.batches(1, 1).text(P0 + "999999999999999999.delta", "x").findings())
        .hasSizeLessThan(5);
    state = Written.batches(0, 0).text("offsets/900000000000000000", Written.offsets(1));
    assertThat(state.withDeltas(2).findings()).hasSizeLessThan(20);
  }
}
