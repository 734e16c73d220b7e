/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An answer that the engine remembers is never one that has become wrong. */
class AnswersTest {
  private static final List<Column> NUMBER = List.of(new Column("n", Kind.COUNT));
  private static final String SUM = "select cast(sum(n) as bigint) from t";

  @TempDir private Path directory;

  private static Table table(String name, long... numbers) {
    List<List<Object>> rows = new ArrayList<>();
    for (long number : numbers) {
      rows.add(List.of(number));
    }
    return new Table(name, name, NUMBER, rows);
  }

  private static long sum(DuckEngine engine) throws IOException {
    return (long) engine.rows(SUM, NUMBER).get(0).get(0);
  }

  @Test
  void aTableThatIsLoadedAgainHasItsNewRows() throws IOException {
    try (DuckEngine engine = DuckEngine.open(directory, 200, 1)) {
      engine.load(table("t", 1, 2));
      assertThat(sum(engine)).isEqualTo(3);
      engine.load(table("other", 5));
      assertThat(sum(engine)).isEqualTo(3);
      engine.load(table("t", 4));
      assertThat(sum(engine)).isEqualTo(4);
    }
  }

  @Test
  void aViewThatIsDefinedAgainIsSeenThroughOthers() throws IOException {
    try (DuckEngine engine = DuckEngine.open(directory, 200, 1)) {
      engine.view("below", "select 1 as n");
      engine.view("t", "select n from below");
      assertThat(sum(engine)).isEqualTo(1);
      engine.view("below", "select 2 as n");
      assertThat(sum(engine)).isEqualTo(2);
      engine.run("create or replace view below as select 3 as n");
      assertThat(sum(engine)).isEqualTo(3);
    }
  }

  @Test
  void whatIsComputedAgainIsTheNewOne() throws IOException {
    try (DuckEngine engine = DuckEngine.open(directory, 200, 1)) {
      engine.define("t", "select 1 as n");
      assertThat(sum(engine)).isEqualTo(1);
      engine.define("t", "select 7 as n");
      assertThat(sum(engine)).isEqualTo(7);
    }
  }
}
