/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An object is replaced after Spark has listed it and before its tasks read it. */
class ReplacedFilesTest {
  private final SparkSession spark = Lake.spark();

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "csv", "json", "text"})
  void aReplacedFileIsNotReadByTheOldPlan(String format) throws IOException {
    for (long newRows : new long[] {100_000, 10}) {
      String place = "replaced/" + format + newRows;
      Dataset<Row> planned = write(format, place, 1_000);
      ObjectMeta old = onlyFile(place);

      write(format, place + "-new", newRows);
      replace(old, onlyFile(place + "-new"));

      assertThatThrownBy(planned::count)
          .hasStackTraceContaining("was replaced after the query was planned")
          .hasStackTraceContaining("it had %d bytes".formatted(old.sizeBytes()));
      assertThat(spark.read().format(format).load("s3://lake/" + place).count()).isEqualTo(newRows);
    }
  }

  @Test
  void aFileIsReadWhereSparkWouldSkipIt() throws IOException {
    spark.conf().set("spark.sql.files.ignoreCorruptFiles", "true");
    try {
      Dataset<Row> planned = write("csv", "replaced/skipped", 1_000);
      write("csv", "replaced/skipped-new", 5_000);
      replace(onlyFile("replaced/skipped"), onlyFile("replaced/skipped-new"));
      assertThat(planned.count()).isGreaterThanOrEqualTo(1_000);
    } finally {
      spark.conf().unset("spark.sql.files.ignoreCorruptFiles");
    }
  }

  @Test
  void aFileOfTheSameNameInAnotherBucketIsNotCompared() throws IOException {
    Lake.store("tight").put("replaced/name/a.txt", Body.ofBytes(new byte[77]), Condition.NONE);
    Lake.store()
        .put(
            "replaced/name/a.txt",
            Body.ofBytes("a\nb\n".getBytes(StandardCharsets.UTF_8)),
            Condition.NONE);
    Dataset<Row> lines = spark.read().text("s3://lake/replaced/name");
    long found =
        lines.javaRDD().map(row -> lengthOf("s3://tight/replaced/name/a.txt")).reduce(Long::sum);
    assertThat(found).isEqualTo(2 * 77);
  }

  private static long lengthOf(String file) throws IOException {
    Path path = new Path(file);
    try (var in =
        path.getFileSystem(Lake.spark().sparkContext().hadoopConfiguration()).open(path)) {
      return in.readAllBytes().length;
    }
  }

  @Test
  void aFileThatIsReplacedBetweenTheScansOfATaskIsSeen() throws IOException {
    Dataset<Row> one = write("parquet", "replaced/one", 1_000);
    Dataset<Row> other = write("parquet", "replaced/other", 2_000);
    Dataset<Row> both = one.union(other).coalesce(1);
    write("parquet", "replaced/other-new", 5_000);
    replace(onlyFile("replaced/other"), onlyFile("replaced/other-new"));

    assertThatThrownBy(both::count).hasStackTraceContaining("replaced/other/part-");
    assertThat(one.count()).isEqualTo(1_000);
  }

  private Dataset<Row> write(String format, String place, long rows) {
    String path = "s3://lake/" + place;
    Dataset<Row> data = spark.range(0, rows, 1, 1).selectExpr("CAST(id AS STRING) AS value");
    data.write().format(format).save(path);
    // With a schema, Spark opens no file yet, whose bytes Penstock would still have.
    return spark.read().format(format).schema("value STRING").load(path);
  }

  private static ObjectMeta onlyFile(String place) throws IOException {
    return Lake.store().head(Lake.dataKeys(place + "/").get(0));
  }

  private static void replace(ObjectMeta old, ObjectMeta by) throws IOException {
    ObjectStore store = Lake.store();
    ByteRange whole = new ByteRange(0, by.sizeBytes());
    byte[] content = store.get(by.key(), whole, Optional.empty()).bytes();
    store.put(old.key(), Body.ofBytes(content), Condition.NONE);
  }
}
