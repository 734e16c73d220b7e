/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format, and every name that S3 and Spark allow, goes to its final key without a copy. */
class FormatsAndNamesTest {
  private final SparkSession spark = Lake.spark();

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "csv", "json"})
  void aFormatIsWrittenOverwrittenAndReadBackWithoutACopy(String format) {
    String path = "s3://lake/formats/" + format;
    Dataset<Row> rows = spark.range(0, 10, 1, 2).selectExpr("id", "concat('name ', id) as name");
    rows.write().format(format).save(path);
    Lake.store().forget();

    rows.where("id < 9").write().format(format).mode("overwrite").save(path);

    Dataset<Row> read = spark.read().format(format).schema("id bigint, name string").load(path);
    assertThat(read.selectExpr("count(*)", "sum(id)", "max(name)").first().mkString(" "))
        .isEqualTo("9 36 name 8");
    assertThat(Lake.dataKeys("formats/" + format + "/")).hasSize(2);
    assertThat(Lake.copies()).isZero();
    assertThat(Lake.pendingUploads("formats/" + format)).isEmpty();
  }

  @Test
  void textIsWrittenAndReadBack() {
    spark
        .range(0, 3, 1, 1)
        .selectExpr("concat('line ', id) as value")
        .write()
        .text("s3://lake/formats/text");

    assertThat(spark.read().textFile("s3://lake/formats/text").collectAsList())
        .containsExactly("line 0", "line 1", "line 2");
  }

  @Test
  void theOtherSchemeWritesTheSameWay() {
    Lake.store().forget();

    spark.range(0, 4, 1, 2).write().parquet("s3a://lake/formats/s3a");

    assertThat(Lake.dataKeys("formats/s3a/")).hasSize(2);
    assertThat(Lake.copies()).isZero();
    assertThat(spark.read().parquet("s3a://lake/formats/s3a").count()).isEqualTo(4);
  }

  @Test
  void anEmptyFrameLeavesATableThatCanBeRead() {
    spark.range(0).write().parquet("s3://lake/formats/empty");

    assertThat(Lake.keys("formats/empty/")).contains("formats/empty/_SUCCESS");
    assertThat(spark.read().parquet("s3://lake/formats/empty").count()).isZero();
  }

  @Test
  void anEmptyFrameOverwritesToo() {
    spark.range(0, 4, 1, 2).write().parquet("s3://lake/formats/emptied");

    spark.range(0).write().mode("overwrite").parquet("s3://lake/formats/emptied");

    assertThat(spark.read().parquet("s3://lake/formats/emptied").count()).isZero();
  }

  @Test
  void aTaskMayWriteManyFiles() {
    spark
        .range(0, 10, 1, 1)
        .write()
        .option("maxRecordsPerFile", 3)
        .parquet("s3://lake/formats/many");

    assertThat(Lake.dataKeys("formats/many/")).hasSize(4);
    assertThat(spark.read().parquet("s3://lake/formats/many").selectExpr("sum(id)").first().get(0))
        .isEqualTo(45L);
  }

  @Test
  void partitionsAreWrittenUnderTheirNames() {
    spark
        .range(0, 4, 1, 1)
        .selectExpr("id", "id % 2 as p", "'x' as q")
        .write()
        .partitionBy("p", "q")
        .parquet("s3://lake/formats/partitions");

    assertThat(Lake.dataKeys("formats/partitions/"))
        .hasSize(2)
        .anyMatch(key -> key.startsWith("formats/partitions/p=0/q=x/part-"))
        .anyMatch(key -> key.startsWith("formats/partitions/p=1/q=x/part-"));
  }

  @Test
  void valuesOfPartitionsMayBeAnyText() {
    List<String> values = List.of("a b", "50%", "x=y", "a+b", "ü/ñ", "日本", "q?#[1]", "c:d");
    spark
        .createDataset(values, org.apache.spark.sql.Encoders.STRING())
        .selectExpr("value as v", "value as p")
        .coalesce(1)
        .write()
        .partitionBy("p")
        .parquet("s3://lake/names/values");

    assertThat(
            spark
                .read()
                .parquet("s3://lake/names/values")
                .where("v = p")
                .select("p")
                .collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrderElementsOf(values);
    assertThat(Lake.dataKeys("names/values/"))
        .anyMatch(key -> key.startsWith("names/values/p=50%25/"))
        .anyMatch(key -> key.startsWith("names/values/p=a b/"))
        .anyMatch(key -> key.startsWith("names/values/p=日本/"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words", "50% off", "a+b", "ünï/日本", "%41", "semi;colon&amp=x"})
  void aTableMayHaveAnyName(String name) {
    String path = "s3://lake/names/" + name;
    spark.range(0, 2, 1, 1).write().parquet(path);

    spark.range(0, 3, 1, 1).write().mode("overwrite").parquet(path);

    assertThat(Lake.keys("names/" + name + "/part-")).hasSize(1);
    assertThat(Lake.keys("names/" + name + "/_SUCCESS")).hasSize(1);
    assertThat(spark.read().parquet(path).count()).isEqualTo(3);
  }

  @Test
  void otherFileSystemsAreCommittedBySparkItself(@TempDir Path directory) throws Exception {
    Path table = directory.resolve("table");

    spark.range(0, 4, 1, 2).write().parquet(table.toUri().toString());
    spark.range(0, 3, 1, 2).write().mode("overwrite").parquet(table.toUri().toString());

    assertThat(spark.read().parquet(table.toUri().toString()).count()).isEqualTo(3);
    assertThat(Files.exists(table.resolve("_SUCCESS"))).isTrue();
    assertThat(Files.exists(table.resolve("_temporary"))).isFalse();
  }

  @Test
  void sparkKnowsTheSizeOfWhatItWrote() {
    spark.range(0, 100, 1, 1).write().csv("s3://lake/formats/sized");

    long size =
        spark
            .read()
            .format("binaryFile")
            .load("s3://lake/formats/sized")
            .selectExpr("sum(length)")
            .first()
            .getLong(0);
    assertThat(size).isEqualTo(10 * 2 + 90 * 3);
  }
}
