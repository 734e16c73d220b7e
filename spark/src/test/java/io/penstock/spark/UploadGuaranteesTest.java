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

/** All or nothing, for files that are uploads. */
class UploadGuaranteesTest {
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
            seen.addAll(Lake.keys("large", "guarantees/before/"));
            pending.addAll(Lake.pendingUploads("large", "guarantees/before/"));
          }
        });

    rows(2).parquet("s3://large/guarantees/before");

    assertThat(pending).hasSize(1);
    assertThat(pending.get(0)).matches("guarantees/before/part-00000-.*\\.parquet");
    assertThat(seen).isEmpty();
    assertThat(Lake.dataKeys("large", "guarantees/before/")).hasSize(2).contains(pending.get(0));
  }

  @Test
  void aStoreThatFailsEveryCompletionForGoodLeavesTheOldData() {
    rows(2).parquet("s3://large/guarantees/storm");
    List<String> old = Lake.keys("large", "guarantees/storm/");
    Lake.faults("CompleteMultipartUpload@1=500");

    assertThatThrownBy(() -> rows(2).mode("overwrite").parquet("s3://large/guarantees/storm"))
        .hasStackTraceContaining("COMPLETE_UPLOAD s3://large/guarantees/storm/part-");

    assertThat(Lake.keys("large", "guarantees/storm/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("large", "guarantees/storm/")).isEmpty();
  }

  @Test
  void aPartThatCannotBeUploadedFailsTheJobAndLeavesNothing() {
    Lake.faults("UploadPart@1=412");

    assertThatThrownBy(() -> rows(2).parquet("s3://large/guarantees/parts"))
        .hasStackTraceContaining("UPLOAD_PART s3://large/guarantees/parts/part-");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("large", "guarantees/parts")).isEmpty();
    assertThat(Lake.pendingUploads("large", "guarantees/parts/")).isEmpty();
  }

  @Test
  void anOverwriteDeletesTheOldFilesOnlyOnceTheNewAreComplete() {
    rows(3).parquet("s3://large/guarantees/order");
    Lake.store("large").forget();

    rows(3).mode("overwrite").parquet("s3://large/guarantees/order");

    List<Operation> done = Lake.store("large").done();
    assertThat(done).contains(Operation.DELETE_ALL);
    assertThat(done.lastIndexOf(Operation.COMPLETE_UPLOAD))
        .isLessThan(done.indexOf(Operation.DELETE_ALL));
    // The old _SUCCESS goes before the first new file appears, and the new one comes last.
    assertThat(done.indexOf(Operation.DELETE)).isLessThan(done.indexOf(Operation.COMPLETE_UPLOAD));
    assertThat(done.lastIndexOf(Operation.PUT)).isGreaterThan(done.indexOf(Operation.DELETE_ALL));
    assertThat(done).doesNotContain(Operation.COPY);
  }

  /** Spark itself fails at a bucket's root, before it asks the protocol. */
  @Test
  void overwritingAWholeBucketFailsAndDeletesNothing() {
    rows(1).parquet("s3://pond/something");
    List<String> before = Lake.keys("pond", "");

    assertThatThrownBy(() -> rows(1).mode("overwrite").parquet("s3://pond/"))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(Lake.keys("pond", "")).isEqualTo(before);
  }

  /** The numbers from 0, one a file. */
  private DataFrameWriter<Row> rows(int files) {
    return spark.range(0, files, 1, files).selectExpr("at(id) as id").write();
  }
}
