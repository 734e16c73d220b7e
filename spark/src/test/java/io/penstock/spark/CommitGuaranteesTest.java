/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Operation;
import java.util.List;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All or nothing: guarantees 1, 2 and 4 of docs/guarantees.md, through real Spark jobs. */
@ParameterizedClass
@EnumSource
class CommitGuaranteesTest {
  @Parameter private Way way;

  /** The way in which files travel. */
  private enum Way {
    INLINE("lake", Operation.PUT, "PutObject"),
    UPLOADS("large", Operation.COMPLETE_UPLOAD, "CompleteMultipartUpload");

    private final String bucket;
    private final Operation operation;
    private final String request;

    Way(String bucket, Operation operation, String request) {
      this.bucket = bucket;
      this.operation = operation;
      this.request = request;
    }

    String path(String key) {
      return "s3://" + bucket + "/" + key;
    }

    /**
     * Lets the request fail that makes a file visible.
     *
     * @param putsBefore number of PUTs of a commit before its first file
     */
    String failing(int file, int putsBefore, String fault) {
      return request + "#" + (this == INLINE ? putsBefore + file : file) + "=" + fault;
    }
  }

  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
  }

  @Test
  void aJobThatFailsAfterTasksHaveCommittedLeavesNothing() {
    failAtTheLastOf(3);

    assertThatThrownBy(() -> rows(3).parquet(way.path("guarantees/failed")))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys(way.bucket, "guarantees/failed")).isEmpty();
    assertThat(Lake.pendingUploads(way.bucket, "guarantees/failed/")).isEmpty();
  }

  @Test
  void aFailedOverwriteLeavesTheOldDataAsItWas() {
    rows(3).parquet(way.path("guarantees/kept"));
    List<String> old = Lake.keys(way.bucket, "guarantees/kept/");
    failAtTheLastOf(3);

    assertThatThrownBy(() -> rows(3).mode("overwrite").parquet(way.path("guarantees/kept")))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys(way.bucket, "guarantees/kept/")).isEqualTo(old);
    assertThat(Lake.pendingUploads(way.bucket, "guarantees/kept/")).isEmpty();
    assertThat(sum(way.path("guarantees/kept"))).isEqualTo(3);
  }

  @Test
  void anUploadThatCannotBeCompletedBringsTheOldDataBackWhole() {
    rows(4).parquet(way.path("guarantees/rollback"));
    List<String> old = Lake.keys(way.bucket, "guarantees/rollback/");
    Lake.faults(way.failing(3, 2, "412"));

    assertThatThrownBy(() -> rows(4).mode("overwrite").parquet(way.path("guarantees/rollback")))
        .hasStackTraceContaining(way.operation + " " + way.path("guarantees/rollback/part-"));

    assertThat(Lake.keys(way.bucket, "guarantees/rollback/")).isEqualTo(old);
    assertThat(Lake.pendingUploads(way.bucket, "guarantees/rollback/")).isEmpty();
    assertThat(sum(way.path("guarantees/rollback"))).isEqualTo(6);
  }

  @Test
  void aCompletionWhoseAnswerWasLostIsNoFailure() {
    Lake.faults(way.failing(1, 1, "reset-after"));

    rows(2).parquet(way.path("guarantees/lost"));

    assertThat(Lake.dataKeys(way.bucket, "guarantees/lost/"))
        .filteredOn(key -> !key.matches(".*[.](settling|decision)"))
        .hasSize(2);
    assertThat(sum(way.path("guarantees/lost"))).isEqualTo(1);
  }

  @Test
  void anOverwriteReplacesExactlyTheOldFiles() {
    rows(4).parquet(way.path("guarantees/replaced"));
    List<String> old = Lake.dataKeys(way.bucket, "guarantees/replaced/");
    rows(1).parquet(way.path("guarantees/replaced-not"));

    rows(2).mode("overwrite").parquet(way.path("guarantees/replaced"));

    assertThat(Lake.dataKeys(way.bucket, "guarantees/replaced/"))
        .hasSize(2)
        .doesNotContainAnyElementsOf(old);
    assertThat(Lake.dataKeys(way.bucket, "guarantees/replaced-not/")).hasSize(1);
    assertThat(sum(way.path("guarantees/replaced"))).isEqualTo(1);
  }

  @Test
  void anAppendKeepsWhatIsThere() {
    rows(2).parquet(way.path("guarantees/append"));
    List<String> old = Lake.dataKeys(way.bucket, "guarantees/append/");

    rows(2).mode("append").parquet(way.path("guarantees/append"));

    assertThat(Lake.dataKeys(way.bucket, "guarantees/append/")).hasSize(4).containsAll(old);
    assertThat(sum(way.path("guarantees/append"))).isEqualTo(2);
  }

  @Test
  void aFailedAppendKeepsWhatIsThere() {
    rows(2).parquet(way.path("guarantees/append-failed"));
    List<String> old = Lake.keys(way.bucket, "guarantees/append-failed/");
    Lake.faults(way.failing(2, 2, "412"));

    assertThatThrownBy(() -> rows(2).mode("append").parquet(way.path("guarantees/append-failed")))
        .hasStackTraceContaining(way.operation + " ");

    assertThat(Lake.keys(way.bucket, "guarantees/append-failed/")).isEqualTo(old);
    assertThat(Lake.pendingUploads(way.bucket, "guarantees/append-failed/")).isEmpty();
  }

  @Test
  void theDefaultModeRefusesAPathThatHasData() {
    rows(1).parquet(way.path("guarantees/exists"));

    assertThatThrownBy(() -> rows(1).parquet(way.path("guarantees/exists")))
        .hasMessageContaining(way.path("guarantees/exists") + " already exists");
  }

  @Test
  void aCommittedJobIsMarkedBySuccess() {
    rows(1).parquet(way.path("guarantees/marked"));

    assertThat(Lake.keys(way.bucket, "guarantees/marked/")).contains("guarantees/marked/_SUCCESS");
  }

  @Test
  void theMarkOfSuccessCanBeLeftOut() {
    rows(1)
        .option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
        .parquet(way.path("guarantees/unmarked"));

    assertThat(Lake.keys(way.bucket, "guarantees/unmarked/")).hasSize(1);
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
