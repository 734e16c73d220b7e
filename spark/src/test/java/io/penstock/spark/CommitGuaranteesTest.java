/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Operation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All or nothing: guarantees 1, 2 and 4 of docs/guarantees.md, through real Spark jobs. */
class CommitGuaranteesTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
  }

  @Test
  void aReaderSeesNoFileBeforeTheJobCommitsAndAllAfter() {
    long before = Lake.tasks().ended();
    List<String> seen = new CopyOnWriteArrayList<>();
    List<String> pending = new CopyOnWriteArrayList<>();
    Rows.each(
        row -> {
          if (row == 1) {
            Lake.tasks().awaitEnded(before + 1);
            seen.addAll(Lake.keys("guarantees/before/"));
            pending.addAll(Lake.pendingUploads("guarantees/before/"));
          }
        });

    rows(2).parquet("s3://lake/guarantees/before");

    assertThat(pending).hasSize(1);
    assertThat(pending.get(0)).matches("guarantees/before/part-00000-.*\\.parquet");
    assertThat(seen).isEmpty();
    assertThat(Lake.dataKeys("guarantees/before/")).hasSize(2).contains(pending.get(0));
  }

  @Test
  void aJobThatFailsAfterTasksHaveCommittedLeavesNothing() {
    failAtTheLastOf(3);

    assertThatThrownBy(() -> rows(3).parquet("s3://lake/guarantees/failed"))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("guarantees/failed")).isEmpty();
    assertThat(Lake.pendingUploads("guarantees/failed/")).isEmpty();
  }

  @Test
  void aFailedOverwriteLeavesTheOldDataAsItWas() {
    rows(3).parquet("s3://lake/guarantees/kept");
    List<String> old = Lake.keys("guarantees/kept/");
    failAtTheLastOf(3);

    assertThatThrownBy(() -> rows(3).mode("overwrite").parquet("s3://lake/guarantees/kept"))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("guarantees/kept/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("guarantees/kept/")).isEmpty();
    assertThat(sum("s3://lake/guarantees/kept")).isEqualTo(3);
  }

  @Test
  void anUploadThatCannotBeCompletedBringsTheOldDataBackWhole() {
    rows(4).parquet("s3://lake/guarantees/rollback");
    List<String> old = Lake.keys("guarantees/rollback/");
    Lake.faults("CompleteMultipartUpload#3=412");

    assertThatThrownBy(() -> rows(4).mode("overwrite").parquet("s3://lake/guarantees/rollback"))
        .hasStackTraceContaining("COMPLETE_UPLOAD s3://lake/guarantees/rollback/part-");

    assertThat(Lake.keys("guarantees/rollback/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("guarantees/rollback/")).isEmpty();
    assertThat(sum("s3://lake/guarantees/rollback")).isEqualTo(6);
  }

  @Test
  void aStoreThatFailsEveryCompletionForGoodLeavesTheOldData() {
    rows(2).parquet("s3://lake/guarantees/storm");
    List<String> old = Lake.keys("guarantees/storm/");
    Lake.faults("CompleteMultipartUpload@1=500");

    assertThatThrownBy(() -> rows(2).mode("overwrite").parquet("s3://lake/guarantees/storm"))
        .hasStackTraceContaining("COMPLETE_UPLOAD s3://lake/guarantees/storm/part-");

    assertThat(Lake.keys("guarantees/storm/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("guarantees/storm/")).isEmpty();
  }

  @Test
  void aCompletionWhoseAnswerWasLostIsNoFailure() {
    Lake.faults("CompleteMultipartUpload#1=reset-after");

    rows(2).parquet("s3://lake/guarantees/lost");

    assertThat(Lake.dataKeys("guarantees/lost/")).hasSize(2);
    assertThat(sum("s3://lake/guarantees/lost")).isEqualTo(1);
  }

  @Test
  void aPartThatCannotBeUploadedFailsTheJobAndLeavesNothing() {
    Lake.faults("UploadPart@1=412");

    assertThatThrownBy(() -> rows(2).parquet("s3://lake/guarantees/parts"))
        .hasStackTraceContaining("UPLOAD_PART s3://lake/guarantees/parts/part-");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("guarantees/parts")).isEmpty();
    assertThat(Lake.pendingUploads("guarantees/parts/")).isEmpty();
  }

  @Test
  void anOverwriteReplacesExactlyTheOldFiles() {
    rows(4).parquet("s3://lake/guarantees/replaced");
    List<String> old = Lake.dataKeys("guarantees/replaced/");
    rows(1).parquet("s3://lake/guarantees/replaced-not");

    rows(2).mode("overwrite").parquet("s3://lake/guarantees/replaced");

    assertThat(Lake.dataKeys("guarantees/replaced/")).hasSize(2).doesNotContainAnyElementsOf(old);
    assertThat(Lake.dataKeys("guarantees/replaced-not/")).hasSize(1);
    assertThat(sum("s3://lake/guarantees/replaced")).isEqualTo(1);
  }

  @Test
  void anOverwriteDeletesTheOldFilesOnlyOnceTheNewAreComplete() {
    rows(3).parquet("s3://lake/guarantees/order");
    Lake.store().forget();

    rows(3).mode("overwrite").parquet("s3://lake/guarantees/order");

    List<Operation> done = Lake.store().done();
    assertThat(done).contains(Operation.DELETE_ALL);
    assertThat(done.lastIndexOf(Operation.COMPLETE_UPLOAD))
        .isLessThan(done.indexOf(Operation.DELETE_ALL));
    // The old _SUCCESS goes before the first new file appears, and the new one comes last.
    assertThat(done.indexOf(Operation.DELETE)).isLessThan(done.indexOf(Operation.COMPLETE_UPLOAD));
    assertThat(done.lastIndexOf(Operation.PUT)).isGreaterThan(done.indexOf(Operation.DELETE_ALL));
    assertThat(done).doesNotContain(Operation.COPY);
  }

  @Test
  void anAppendKeepsWhatIsThere() {
    rows(2).parquet("s3://lake/guarantees/append");
    List<String> old = Lake.dataKeys("guarantees/append/");

    rows(2).mode("append").parquet("s3://lake/guarantees/append");

    assertThat(Lake.dataKeys("guarantees/append/")).hasSize(4).containsAll(old);
    assertThat(sum("s3://lake/guarantees/append")).isEqualTo(2);
  }

  @Test
  void aFailedAppendKeepsWhatIsThere() {
    rows(2).parquet("s3://lake/guarantees/append-failed");
    List<String> old = Lake.keys("guarantees/append-failed/");
    Lake.faults("CompleteMultipartUpload#2=412");

    assertThatThrownBy(() -> rows(2).mode("append").parquet("s3://lake/guarantees/append-failed"))
        .hasStackTraceContaining("COMPLETE_UPLOAD");

    assertThat(Lake.keys("guarantees/append-failed/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("guarantees/append-failed/")).isEmpty();
  }

  @Test
  void theDefaultModeRefusesAPathThatHasData() {
    rows(1).parquet("s3://lake/guarantees/exists");

    assertThatThrownBy(() -> rows(1).parquet("s3://lake/guarantees/exists"))
        .hasMessageContaining("s3://lake/guarantees/exists already exists");
  }

  @Test
  void aCommittedJobIsMarkedBySuccess() {
    rows(1).parquet("s3://lake/guarantees/marked");

    assertThat(Lake.keys("guarantees/marked/")).contains("guarantees/marked/_SUCCESS");
  }

  @Test
  void theMarkOfSuccessCanBeLeftOut() {
    rows(1)
        .option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
        .parquet("s3://lake/guarantees/unmarked");

    assertThat(Lake.keys("guarantees/unmarked/")).hasSize(1);
  }

  /** Spark itself fails at a bucket's root, before it asks the protocol. */
  @Test
  void overwritingAWholeBucketFailsAndDeletesNothing() {
    rows(1).parquet("s3://pond/something");

    assertThatThrownBy(() -> rows(1).mode("overwrite").parquet("s3://pond/"))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(Lake.keys("pond", "")).hasSize(2);
  }

  /** The numbers from 0, one a file. */
  private DataFrameWriter<Row> rows(int files) {
    return spark.range(0, files, 1, files).selectExpr("at(id) as id").write();
  }

  /** The last task waits until the others have committed, and fails. */
  private static void failAtTheLastOf(int tasks) {
    long before = Lake.tasks().ended();
    Rows.each(
        row -> {
          if (row == tasks - 1) {
            Lake.tasks().awaitEnded(before + tasks - 1);
            throw new IllegalStateException("this row is bad");
          }
        });
  }

  private long sum(String path) {
    return spark.read().parquet(path).selectExpr("sum(id)").first().getLong(0);
  }
}
