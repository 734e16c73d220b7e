/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slow requests and long retries of files that differ only in their ids are one row. */
class AlikeTest {
  @TempDir private Path spill;

  @Test
  void namesThatDifferInNumbersAreOneRowWithTheSlowest() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("PutObject", "W", 90, 0, "total_us", "cast(1000 + i as bigint)");
      logs.run(
          "update s3_all set dir = 't=' || chr(cast(97 + total_us % 2 as int)) || '/',"
              + " key = 't=' || chr(cast(97 + total_us % 2 as int)) || '/part-'"
              + " || (100 + total_us % 100) || '-' || lower(hex(total_us % 16)) || '.parquet'");
      Table slowest = Analyses.named("slowest-requests").orElseThrow().run(logs.ready());
      assertThat(slowest.rows()).as("directories are not mixed").hasSize(2);
      assertThat(slowest.count(0, "alike_of_500")).isEqualTo(45);
      assertThat(slowest.number(0, "total_ms")).isEqualTo(1.089);
      assertThat(slowest.text(0, "key")).startsWith("lake/t=b/part-189-");
    }
  }

  @Test
  void partsOfUploadsAreOneRowWithTheLongest() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("UploadPart", "W", 40, 20, "part_no", "1 + i % 20");
      // The throttled attempt of each part is followed by its success i seconds later.
      logs.run(
          "update s3_all set chain = part_no, key = 'out/part-' || (100 + part_no),"
              + " ts_start = timestamp '2024-06-04 14:40:00'"
              + " + to_seconds(case when status = 200 then cast(part_no as bigint) else 0 end)");
      Table longest = Analyses.named("longest-retries").orElseThrow().run(logs.ready());
      assertThat(longest.rows()).hasSize(1);
      assertThat(longest.count(0, "alike_of_500")).isEqualTo(20);
      assertThat(longest.number(0, "waited_ms")).isEqualTo(20_000);
      assertThat(longest.count(0, "part")).isEqualTo(20);
    }
  }

  @Test
  void askingForWhatIsNotThereIsNoRetry() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("HeadObject", "R", 40, 0, "total_us", "cast(1000 + i as bigint)");
      // Each of ten keys is asked for four times.
      logs.run(
          "update s3_all set chain = total_us % 10, key = '_delta_log/' || (total_us % 10),"
              + " err = 'NoSuchKey', status = 404");
      assertThat(retries(logs)).isEmpty();
      logs.run("update s3_all set err = 'SlowDown', status = 503 where total_us = 1005");
      assertThat(retries(logs)).as("the throttled one, and the next").hasSize(1);
    }
  }

  private static List<?> retries(AdviceFixture logs) throws IOException {
    return Analyses.named("longest-retries").orElseThrow().run(logs.ready()).rows();
  }
}
