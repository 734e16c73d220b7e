/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which rollups are computed for a query, and in which order. */
class LazyRollupsTest {
  private final List<String> done = new ArrayList<>();
  private final LazyRollups engine = new LazyRollups(new Recording());

  @Test
  void aRollupIsComputedOnceAfterThoseItUses() throws IOException {
    engine.rows("select * from s3_chains c join s3_chains d on true", List.of());
    engine.rows("select * from s3_chain_sums", List.of());
    assertThat(done)
        .containsExactly(
            "view s3_attempts",
            "define s3_chain_sums",
            "define s3_tangles",
            "view s3_chains",
            "rows",
            "rows");
  }

  @Test
  void aQueryOfRequestsNeedsNone() throws IOException {
    engine.rows("select count(*) from s3_requests where key = 's3'", List.of());
    assertThat(done).containsExactly("rows");
  }

  @Test
  void everyRollupCanBeTheFirstThatIsAskedFor() throws IOException {
    for (String name : Rollups.names()) {
      done.clear();
      new LazyRollups(new Recording()).rows("select * from " + name, List.of());
      assertThat(done).endsWith("rows");
      assertThat(done.get(done.size() - 2)).endsWith(" " + name);
    }
  }

  @Test
  void aCommentUsesNothing() throws IOException {
    engine.rows("select 1 -- and not s3_cells\nfrom s3_gets", List.of());
    assertThat(done).contains("define s3_gets").doesNotContain("define s3_cells");
  }

  @Test
  void aTableOfAnAnalysisMayUseThem() throws IOException {
    engine.view("mine", "select * from s3_by_second");
    assertThat(done).containsSubsequence("define s3_cells", "view mine");
  }

  private final class Recording implements QueryEngine {
    @Override
    public Map<Integer, ParseStatistics> read(
        String name, List<LogFile> files, ReadProgress progress) {
      return Map.of();
    }

    @Override
    public long repeats() {
      return 0;
    }

    @Override
    public void load(Table facts) {}

    @Override
    public void define(String name, String sql) {
      add("define ", name, sql);
    }

    @Override
    public void view(String name, String sql) {
      add("view ", name, sql);
    }

    private void add(String how, String name, String sql) {
      String query = sql.replaceAll("--.*", "");
      for (String other : Rollups.names()) {
        if (query.matches("(?s).*\\b" + other + "\\b.*")) {
          assertThat(done).as(name).containsAnyOf("define " + other, "view " + other);
        }
      }
      done.add(how + name);
    }

    @Override
    public List<List<Object>> rows(String sql, List<Column> columns) {
      done.add("rows");
      return List.of();
    }

    @Override
    public void close() {}
  }
}
