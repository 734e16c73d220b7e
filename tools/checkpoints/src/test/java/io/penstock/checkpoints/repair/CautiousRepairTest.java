/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.repair;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.repair.RepairPlan.Consent;
import io.penstock.checkpoints.report.Written;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class CautiousRepairTest {
  private static final Consent NO_FILE_SINK = new Consent(Duration.ofHours(1), true);

  private static List<String> moved(Written written) {
    return written.plan(written.check().facts(), NO_FILE_SINK).steps().stream()
        .flatMap(s -> s.files().stream())
        .map(StoredFile::path)
        .toList();
  }

  /** A healthy checkpoint of the Spark after the ones this tool knows. */
  @Test
  void aCommitOfANewerSparkIsNotMovedAside() {
    Written written = Written.batches(5, 5).withDeltas(6);
    written.text("commits/5", "v4\n{\"nextBatchWatermarkMs\":0}");
    assertThat(moved(written)).isEmpty();
  }

  @Test
  void offsetsOfANewerSparkAreNotMovedAside() {
    Written written = Written.batches(5, 4).withDeltas(5);
    written.text("offsets/5", "v3\n{}\na:{\"offset\":250}");
    assertThat(moved(written)).isEmpty();
  }

  /** The first commit of format 2 is the broken one, so no other commit tells the format. */
  @Test
  void theFirstCommitOfFormatTwoStays() {
    Written written = Written.batches(1, 0).text("commits/0", "");
    written.text("state/0/0/1_a.changelog", "x").text("state/0/0/2_b.changelog", "x");
    assertThat(moved(written)).isEmpty();
  }

  /** The offsets are lost, but batches were committed. */
  @Test
  void anIdStaysWhereBatchesWereCommitted() {
    Written written = Written.batches(3, 3).text("metadata", "");
    for (int batch = 0; batch <= 3; batch++) {
      written.without("offsets/" + batch);
    }
    assertThat(moved(written)).isEmpty();
  }

  /** The checkpoint is in the directory of its Delta table. */
  @Test
  void theChecksumsOfADeltaLogStay() {
    Written written = Written.batches(1, 1);
    written.text("_delta_log/00000000000000000005.json", "{}");
    written.text("_delta_log/00000000000000000005.crc", "{\"tableSizeBytes\":1}");
    assertThat(moved(written)).isEmpty();
  }

  /** A look at names alone calls these whole: the batch would stop, or start from less. */
  @Test
  void offsetsStayWhereTheStateBeforeThemCannotBeLoaded() {
    List<UnaryOperator<Written>> faults =
        List.of(
            written -> written.text("state/0/1/3.delta", ""),
            written -> written.without("state/0/0/2.delta"),
            written -> withoutPartition(1, written),
            written -> withoutPartition(0, withoutPartition(1, written)),
            written -> withSnapshot(written).without("state/0/0/SSTs/1-a.sst"),
            written -> withSnapshot(written).text("state/0/0/SSTs/1-a.sst", "longer"),
            written -> withSnapshot(written).text("state/0/0/5.zip", "no zip"));
    for (UnaryOperator<Written> fault : faults) {
      Written written = fault.apply(Written.batches(5, 4).withDeltas(5)).text("offsets/5", "");
      assertThat(written.plan(written.check().facts(), NO_FILE_SINK).steps()).isEmpty();
      assertThat(written.plan(written.check().facts(), NO_FILE_SINK).refusals())
          .singleElement(as(STRING))
          .startsWith("offsets/5: the state that batch 5 would start from is not whole. state/0/");
    }
    assertThat(moved(withSnapshot(Written.batches(5, 4).withDeltas(5)).text("offsets/5", "")))
        .containsExactly("offsets/5");
  }

  @Test
  void aCommitStaysWhereTheStateBeforeItCannotBeLoaded() {
    Written written = Written.batches(5, 5).withDeltas(6).text("commits/5", "");
    assertThat(moved(written)).containsExactly("commits/5");
    assertThat(moved(written.text("state/0/1/4.delta", ""))).isEmpty();
  }

  private static Written withoutPartition(int partition, Written written) {
    for (int version = 1; version <= 5; version++) {
      written.without("state/0/" + partition + "/" + version + ".delta");
    }
    return written;
  }

  private static Written withSnapshot(Written written) {
    return written.withZip("state/0/0/", "5.zip", "1-a.sst");
  }
}
