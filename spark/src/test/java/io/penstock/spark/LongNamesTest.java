/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.KeyLimits;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of partitions that make keys which S3 or another store cannot have or cannot list. */
class LongNamesTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
    Lake.store().forget();
  }

  @Test
  void aKeyThatIsTooLongIsRefusedByTheTaskThatMadeIt() {
    String path = "s3://lake/long/key";
    partitioned(path, "short", 10, "overwrite");
    List<String> old = Lake.keys("long/key/");

    for (String mode : List.of("append", "overwrite")) {
      assertThatThrownBy(() -> partitioned(path, "a ü/", 250, mode))
          .as(mode)
          .hasStackTraceContaining(
              "the value 'a ü/a ü/a ü/a ü/a ü/a ü/a ü/a ü/a ü/a ü/…' (1,000 characters) of the"
                  + " partition column p makes the key of a file")
          .hasStackTraceContaining("bytes long, but S3 allows only 1,024. Shorten the value");
      Lake.tasks().awaitNone();
      assertThat(Lake.keys("long/key/")).as(mode).isEqualTo(old);
      assertThat(Lake.pendingUploads("long/key/")).as(mode).isEmpty();
    }
    // Nothing is locked.
    partitioned(path, "short", 10, "overwrite");
    assertThat(spark.read().parquet(path).count()).isEqualTo(1);
  }

  @Test
  void aPathThatIsTooLongIsNamed() {
    String path = "s3://lake/long/" + "directory/".repeat(100) + "t";

    assertThatThrownBy(() -> spark.range(1).write().parquet(path))
        .hasStackTraceContaining(
            "the path s3://lake/long/directory/directory/direc… makes the key");
  }

  @Test
  void aLongSegmentIsWrittenWhereTheStoreHasIt() {
    String path = "s3://lake/long/segment";

    Map<String, Long> requests = Lake.requests(() -> partitioned(path, "a", 300, "append"));

    assertThat(spark.read().parquet(path).where("length(p) = 300").count()).isEqualTo(1);
    assertThat(requests).containsEntry("HeadObject", 1L);
  }

  @Test
  void aLongSegmentIsRefusedByTheTaskWhereTheStoreRefusesIt() {
    String path = "s3://lake/long/refused";
    partitioned(path, "short", 10, "append");
    List<String> old = Lake.keys("long/refused/");
    Lake.store().beforeEach(LongNamesTest::refuseAsADiskDoes);

    assertThatThrownBy(() -> partitioned(path, "a", 300, "append"))
        .hasStackTraceContaining(
            "the value '"
                + "a".repeat(40)
                + "…' (300 characters) of the partition column p makes a segment of 302 bytes in"
                + " the key of a file, but this store allows only 255");

    assertThat(Lake.keys("long/refused/")).isEqualTo(old);
  }

  @Test
  void aCharacterThatTheStoreDoesNotListIsRefusedByTheTask() {
    String path = "s3://lake/long/odd";
    partitioned(path, "plain", 1, "append");
    List<String> old = Lake.keys("long/odd/");
    Lake.store().beforeEach(LongNamesTest::refuseAsXmlDoes);

    assertThatThrownBy(() -> partitioned(path, "c\uFFFEd", 1, "append"))
        .hasStackTraceContaining(
            "the value 'c\\ufffed' (3 characters) of the partition column p has a character that"
                + " this store lists as a different one");

    assertThat(Lake.keys("long/odd/")).isEqualTo(old);
  }

  private static void refuseAsXmlDoes(Operation operation, String key) {
    if (operation == Operation.LIST && !KeyLimits.fitsXml(key)) {
      SneakyThrow.run(
          () -> {
            throw StoreException.of(
                StoreException.Kind.UNSUPPORTED, operation, key, "XML cannot carry");
          });
    }
  }

  private static void refuseAsADiskDoes(Operation operation, String key) {
    boolean isRead = operation == Operation.HEAD || operation == Operation.GET;
    if (isRead && KeyLimits.longSegment(key).isPresent()) {
      SneakyThrow.run(
          () -> {
            throw StoreException.of(
                    StoreException.Kind.NO_SUCH_KEY, operation, key, "the name is too long")
                .ofName();
          });
    }
  }

  private void partitioned(String path, String part, int times, String mode) {
    spark
        .sql("SELECT 1 AS id, repeat('" + part + "', " + times + ") AS p")
        .write()
        .mode(mode)
        .partitionBy("p")
        .parquet(path);
  }
}
