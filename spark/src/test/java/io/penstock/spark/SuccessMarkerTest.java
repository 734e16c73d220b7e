/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.core.store.SuffixRange;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The numbers in {@code _SUCCESS}, against what was written and what the endpoint was asked. */
class SuccessMarkerTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
  }

  private JsonNode marker(String table) throws IOException {
    byte[] content =
        Lake.store().get(table + "/_SUCCESS", new SuffixRange(1000), Optional.empty()).bytes();
    return new ObjectMapper().readTree(content);
  }

  private void write(String table) {
    spark
        .range(0, 1000, 1, 4)
        .selectExpr("at(id) id", "id % 3 p")
        .write()
        .partitionBy("p")
        .parquet("s3://lake/" + table);
  }

  @Test
  void itTellsFilesRowsAndRequests() throws IOException {
    Map<String, Long> asked = Lake.requests(() -> write("marker/calm"));

    JsonNode marker = marker("marker/calm");
    assertThat(marker.get("files").asLong()).isEqualTo(12);
    assertThat(marker.get("rows").asLong()).isEqualTo(1000);
    // The intent is removed after it; Spark itself looks whether the table is there.
    long all = asked.values().stream().mapToLong(Long::longValue).sum();
    long removals = asked.getOrDefault("DeleteObjects", 0L);
    assertThat(removals).isEqualTo(1);
    assertThat(marker.get("requests").asLong()).as("%s", asked).isBetween(12L + 4, all - 1);
    assertThat(all - marker.get("requests").asLong()).as("%s", asked).isLessThanOrEqualTo(5);
  }

  @Test
  void aTaskThatIsRunAgainCountsItsRowsOnce() throws IOException {
    AtomicBoolean hasFailed = new AtomicBoolean();
    Rows.each(
        row -> {
          if (row == 999 && !hasFailed.getAndSet(true)) {
            throw new IllegalStateException("this row is bad, once");
          }
        });

    write("marker/again");

    assertThat(hasFailed).isTrue();
    assertThat(marker("marker/again").get("rows").asLong()).isEqualTo(1000);
  }

  @Test
  void anEmptyResultHasNoRows() throws IOException {
    spark.range(0).write().parquet("s3://lake/marker/empty");
    assertThat(marker("marker/empty").get("rows").asLong()).isZero();
  }
}
