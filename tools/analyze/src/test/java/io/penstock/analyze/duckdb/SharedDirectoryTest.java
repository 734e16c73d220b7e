/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines that have the same logs in their cache at the same time. */
class SharedDirectoryTest {
  private static final List<Column> NUMBER = List.of(new Column("n", Kind.COUNT));

  @TempDir private Path directory;

  @Test
  void enginesOfOneDirectoryWriteNoFileOfEachOther() throws IOException {
    try (DuckEngine one = DuckEngine.open(directory, 200, 1);
        DuckEngine two = DuckEngine.open(directory, 200, 1)) {
      assertThat(spill(one)).isNotEqualTo(spill(two));
      one.define("t", "select 1 as n");
      two.define("t", "select 1 as n");
      assertThat(one.rows("select n from t", NUMBER)).isEqualTo(two.rows("from t", NUMBER));
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .allMatch(name -> name.matches("t-[0-9a-f]{16}\\.parquet(\\.sum)?|spill"));
    }
  }

  private static Object spill(DuckEngine engine) throws IOException {
    List<Column> text = List.of(new Column("s", Kind.TEXT));
    return engine.rows("select current_setting('temp_directory')", text);
  }
}
