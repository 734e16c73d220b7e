/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables with partitions under the other scheme, in other buckets, on other file systems. */
class PartitionLocationsTest {
  private final SparkSession spark = Lake.spark();

  @BeforeEach
  void makeTable() {
    spark.sql("CREATE TABLE spread (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
  }

  @AfterEach
  void dropTable() {
    spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
    spark.sql("DROP TABLE spread");
  }

  @Test
  void aPartitionUnderTheOtherSchemeIsReplaced() {
    locate("s3a://lake/spread/other");
    spark.sql("INSERT INTO spread VALUES (1, 1), (2, 2)");

    spark.sql("INSERT OVERWRITE spread VALUES (3, 1), (4, 3)");

    assertThat(rows()).containsExactly("3 1", "4 3");
    assertThat(Lake.dataKeys("spread/other/")).hasSize(1);
  }

  @Test
  void aPartitionAtItsPlaceUnderTheOtherSchemeIsReplaced() {
    locate("s3a://lake/warehouse/spread/p=1");
    spark.sql("INSERT INTO spread VALUES (1, 1), (2, 2)");

    spark.sql("INSERT OVERWRITE spread PARTITION (p = 1) VALUES (3)");

    assertThat(rows()).containsExactly("2 2", "3 1");
    assertThat(Lake.dataKeys("warehouse/spread/p=1/")).hasSize(1);
  }

  @Test
  void aPartitionInAnotherBucketIsReplaced() {
    locate("s3://pond/spread/other");
    spark.sql("INSERT INTO spread VALUES (1, 1), (2, 2)");

    spark.sql("INSERT OVERWRITE spread VALUES (3, 1)");

    assertThat(rows()).containsExactly("3 1");
    assertThat(Lake.dataKeys("pond", "spread/other/")).hasSize(1);
  }

  @Test
  void aDynamicOverwriteReplacesAPartitionInAnotherBucket() {
    locate("s3a://pond/spread/dynamic");
    spark.sql("INSERT INTO spread VALUES (1, 1), (2, 2)");
    spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");

    spark.sql("INSERT OVERWRITE spread VALUES (3, 1)");

    assertThat(rows()).containsExactly("2 2", "3 1");
    assertThat(Lake.dataKeys("pond", "spread/dynamic/")).hasSize(1);
  }

  @Test
  void aPartitionOnAnotherFileSystemIsRefusedByName(@TempDir Path directory) {
    spark.sql("INSERT INTO spread VALUES (2, 2)");
    locate(directory.toUri().toString());

    for (String insert : List.of("INSERT INTO spread", "INSERT OVERWRITE spread")) {
      for (String mode : List.of("static", "dynamic")) {
        spark.conf().set("spark.sql.sources.partitionOverwriteMode", mode);
        assertThatThrownBy(() -> spark.sql(insert + " VALUES (3, 1)"))
            .as("%s, %s", insert, mode)
            .hasStackTraceContaining(directory.toString())
            .hasStackTraceContaining("location to a path on S3, or write")
            .hasStackTraceContaining("in a separate job that names its path as the output");
      }
    }
    assertThat(rows()).containsExactly("2 2");
    assertThat(directory).isEmptyDirectory();
  }

  private void locate(String location) {
    spark.sql("ALTER TABLE spread ADD PARTITION (p = 1)");
    // Spark's in-memory catalog makes directories with the table's file system, but not here.
    spark.sql("ALTER TABLE spread PARTITION (p = 1) SET LOCATION '" + location + "'");
  }

  private List<String> rows() {
    return spark.table("spread").collectAsList().stream()
        .map(row -> row.mkString(" "))
        .sorted()
        .toList();
  }
}
