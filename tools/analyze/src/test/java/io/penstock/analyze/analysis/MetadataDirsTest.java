/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which directories hold metadata of a stream or a table, and which data of such a name. */
class MetadataDirsTest {
  private static final List<String> METADATA =
      List.of(
          "check/offsets/",
          "check/commits/",
          "check/sources/0/",
          "check/state/0/12/",
          "check/state/0/12/left-keyToNumValues/",
          "out/_spark_metadata/",
          "delta/_delta_log/",
          "delta/_delta_log/_sidecars/",
          "hudi/.hoodie/timeline/",
          "ice/metadata/",
          "offsets/",
          "commits/");
  private static final List<String> DATA =
      List.of(
          "ice/data/day=1/",
          "gh/commits/",
          "raw/sources/orders/",
          "us/state/ca/city/",
          "dump/metadata/",
          "check/",
          "");

  @TempDir private Path spill;

  @Test
  void metadataIsToldFromDataByWhatIsBesideThem() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      for (List<String> dirs : List.of(METADATA, DATA)) {
        for (String dir : dirs) {
          logs.requests("PutObject", "W", 1, 0, "bytes_in", "10");
          logs.run(
              "update s3_all set dir = '%1$s', key = '%1$s' || 'a' where dir = 'out/'"
                  .formatted(dir));
        }
      }
      QueryEngine engine = logs.ready();
      List<Column> one = List.of(new Column("dir", Kind.TEXT));
      assertThat(
              engine.rows("select dir from s3_metadata_dirs", one).stream().map(row -> row.get(0)))
          .containsExactlyInAnyOrderElementsOf(METADATA);
      List<Column> count = List.of(new Column("files", Kind.COUNT));
      assertThat(engine.rows("select cast(sum(files) as bigint) from s3_outputs", count))
          .containsExactly(List.of((long) DATA.size()));
    }
  }
}
