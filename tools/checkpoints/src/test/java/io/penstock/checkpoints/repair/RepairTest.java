/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.Resume;
import io.penstock.checkpoints.place.FileChangedException;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.repair.RepairPlan.Consent;
import io.penstock.checkpoints.report.Written;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RepairTest {
  private static final Consent NO_FILE_SINK = new Consent(Duration.ofHours(1), true);
  private static final Consent UNKNOWN_SINK = new Consent(Duration.ofHours(1), false);

  private static RepairPlan plan(Written written, Consent consent) {
    return written.plan(written.check().facts(), consent);
  }

  private static List<String> moved(RepairPlan plan) {
    return plan.steps().stream().flatMap(s -> s.files().stream()).map(StoredFile::path).toList();
  }

  @Test
  void aHealthyCheckpointIsLeftAlone() {
    assertThat(plan(Written.batches(5, 4).withDeltas(5), NO_FILE_SINK))
        .isEqualTo(new RepairPlan(List.of(), List.of()));
  }

  @Test
  void aTruncatedCommitIsMovedAndTheBatchRunsAgain() throws IOException {
    Written written = Written.batches(5, 5).withDeltas(6).text("commits/5", "");
    RepairPlan plan = plan(written, UNKNOWN_SINK);
    assertThat(moved(plan)).containsExactly("commits/5");

    new RepairRun(written, Written.NOW).run(plan.steps().get(0));

    assertThat(written.check().isHealthy()).isTrue();
    assertThat(written.check().facts().resume().batch()).isEqualTo(5);
    assertThat(written.files).containsKey("_penstock_repair/20260301T120000Z/commits/5");
  }

  @Test
  void offsetsBehindAHoleAreMovedAndTheBatchInItIsPlannedAgain() throws IOException {
    Written written = Written.batches(9, 7).without("offsets/8");
    assertThat(moved(plan(written, UNKNOWN_SINK))).isEmpty();
    RepairPlan plan = plan(written, NO_FILE_SINK);
    assertThat(moved(plan)).containsExactly("offsets/9");

    new RepairRun(written, Written.NOW).run(plan.steps().get(0));

    assertThat(written.check().isHealthy()).isTrue();
    assertThat(written.check().facts().resume().batch()).isEqualTo(8);
  }

  @Test
  void aHoleThatCannotBeClosedIsRefusedWithItsReason() {
    for (Written hole :
        List.of(
            Written.batches(9, 7).withDeltas(8).without("offsets/8"),
            Written.batches(9, 9).without("offsets/8").without("commits/8"),
            Written.batches(9, 6).without("offsets/8").without("offsets/7"))) {
      RepairPlan plan = plan(hole, NO_FILE_SINK);
      assertThat(moved(plan)).isEmpty();
      assertThat(plan.refusals())
          .singleElement()
          .asString()
          .startsWith("offsets/8: the query needs");
    }
  }

  @Test
  void aTruncatedCommitBeforePlannedOffsetsIsMovedAndItsBatchDoesNotRunAgain() {
    RepairPlan plan = plan(Written.batches(6, 5).withDeltas(7).text("commits/5", ""), UNKNOWN_SINK);
    assertThat(moved(plan)).containsExactly("commits/5");
    assertThat(plan.steps().get(0).then())
        .startsWith("Batch 6 runs next; batch 5 does not run again.");
  }

  @Test
  void aTruncatedCommitStaysWhenTheStateBeforeItIsNotWhole() {
    Written written = Written.batches(5, 5).withDeltas(6).text("commits/5", "");
    RepairPlan plan = plan(written.without("state/0/1/4.delta"), NO_FILE_SINK);
    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusals()).singleElement().asString().contains("state/0/1/4.delta");
  }

  @Test
  void aTruncatedCommitStaysWhenItNamesTheStateThatIsNeeded() {
    Written written = Written.batches(2, 1).text("commits/1", "");
    written.text("commits/0", "v2\n{\"stateUniqueIds\":{\"0\":[[\"a\"]]}}");
    written.text("state/0/0/1_a.changelog", "x").text("state/0/0/2_b.changelog", "x");
    assertThat(moved(plan(written, NO_FILE_SINK))).isEmpty();
  }

  @Test
  void offsetsThatGoBackAreMovedAndTheBatchIsPlannedAgain() throws IOException {
    Written written = Written.batches(5, 4).withDeltas(5);
    written.text("offsets/4", "v1\n{}\n{\"logOffset\":4}");
    written.text("offsets/5", "v1\n{}\n{\"logOffset\":3}");
    written.text("sources/0/3.compact", "v1\n{\"path\":\"a\"}");
    assertThat(plan(written, NO_FILE_SINK).steps()).isEmpty();
    assertThat(plan(written, NO_FILE_SINK).refusals())
        .singleElement()
        .asString()
        .startsWith("offsets/5: sources/0/ has lost entry 4.");

    written.text("sources/0/4", "v1\n{\"path\":\"b\"}");
    RepairPlan plan = plan(written, NO_FILE_SINK);
    assertThat(moved(plan)).containsExactly("offsets/5");

    new RepairRun(written, Written.NOW).run(plan.steps().get(0));

    assertThat(written.check().isHealthy()).isTrue();
    assertThat(written.check().facts().resume()).isEqualTo(new Resume(Resume.Case.NEXT, 5, 5));
  }

  @Test
  void truncatedOffsetsAreMovedWithTheirHiddenChecksum() throws IOException {
    Written written = Written.batches(5, 4).withDeltas(5).text("offsets/5", "v1");
    written.text("offsets/.5.crc", "crc");
    RepairPlan plan = plan(written, NO_FILE_SINK);
    assertThat(moved(plan)).containsExactly("offsets/5", "offsets/.5.crc");

    new RepairRun(written, Written.NOW).run(plan.steps().get(0));

    assertThat(written.check().isHealthy()).isTrue();
    assertThat(written.check().facts().resume()).isEqualTo(new Resume(Resume.Case.NEXT, 5, 5));
  }

  @Test
  void truncatedOffsetsStayWhenAFileSinkMayHaveTheBatch() {
    Written written = Written.batches(5, 4).text("offsets/5", "v1");
    assertThat(plan(written, UNKNOWN_SINK).refusals())
        .singleElement()
        .asString()
        .contains("--sink");
    for (int newest : new int[] {3, 4, 5}) {
      Written sink = new Written();
      for (int batch = 0; batch <= newest; batch++) {
        sink.text("_spark_metadata/" + batch, "v1");
      }
      CheckpointFacts facts = written.check(new CheckOptions(20, false, Optional.of(sink))).facts();
      assertThat(written.plan(facts, UNKNOWN_SINK).steps()).hasSize(newest == 4 ? 1 : 0);
    }
  }

  @Test
  void truncatedOffsetsStayWhenTheBatchHasRun() {
    assertThat(
            plan(Written.batches(5, 4).withDeltas(6).text("offsets/5", ""), NO_FILE_SINK).steps())
        .isEmpty();
    assertThat(plan(Written.batches(5, 5).text("offsets/5", ""), NO_FILE_SINK).steps()).isEmpty();
    assertThat(plan(Written.batches(0, -1).text("offsets/0", ""), NO_FILE_SINK).steps()).isEmpty();
  }

  @Test
  void offsetsAndACommitThatAreBothBrokenStay() {
    Written written = Written.batches(5, 4).text("offsets/5", "").text("commits/4", "");
    assertThat(plan(written, NO_FILE_SINK).steps()).isEmpty();
    assertThat(plan(written, NO_FILE_SINK).refusals()).hasSize(2);
  }

  @Test
  void anIdIsMovedOnlyBeforeTheFirstBatch() {
    assertThat(moved(plan(Written.batches(-1, -1).text("metadata", ""), UNKNOWN_SINK)))
        .containsExactly("metadata");
    assertThat(moved(plan(Written.batches(1, 1).text("metadata", ""), UNKNOWN_SINK))).isEmpty();
  }

  @Test
  void onlyOldTemporaryFilesAreMoved() {
    Written written = Written.batches(1, 1).text("offsets/.2.a.tmp", "x");
    written.text("offsets/.3.b.tmp", "x");
    written.times.put("offsets/.3.b.tmp", Written.NOW.minusSeconds(60));
    assertThat(moved(plan(written, UNKNOWN_SINK))).containsExactly("offsets/.2.a.tmp");
  }

  @Test
  void aFileThatChangedSinceItWasJudgedIsNotTouched() {
    Written written = Written.batches(5, 5).text("commits/5", "");
    RepairPlan plan = plan(written, UNKNOWN_SINK);
    written.text("commits/5", "v1\n{}");

    assertThatExceptionOfType(FileChangedException.class)
        .isThrownBy(() -> new RepairRun(written, Written.NOW).run(plan.steps().get(0)));
    assertThat(written.files).containsKey("commits/5").hasSize(13);
  }
}
