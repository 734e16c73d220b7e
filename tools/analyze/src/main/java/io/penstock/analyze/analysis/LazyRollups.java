/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An engine that computes a rollup when the first query uses it. A single table needs few of them.
 * Not for an engine that keeps what it computes: what is kept for a later run depends on all
 * definitions before it.
 */
public final class LazyRollups implements QueryEngine {
  /** A comment, or a name of ours in a query. */
  private static final Pattern NAME = Pattern.compile("--.*|\\bs3_[a-z_]+\\b");

  private final QueryEngine engine;
  private final Set<String> missing = new LinkedHashSet<>(Rollups.names());

  /**
   * @param engine has the requests; is closed together with this one
   */
  public LazyRollups(QueryEngine engine) {
    this.engine = engine;
  }

  /** Defines the rollups that a query uses, each after those that it uses itself. */
  private void prepare(String sql) throws IOException {
    Matcher names = NAME.matcher(sql);
    while (names.find()) {
      if (missing.contains(names.group())) {
        Rollups.define(this, names.group());
        missing.remove(names.group());
      }
    }
  }

  @Override
  public Map<Integer, ParseStatistics> read(String name, List<LogFile> files, ReadProgress progress)
      throws IOException {
    return engine.read(name, files, progress);
  }

  @Override
  public long repeats() {
    return engine.repeats();
  }

  @Override
  public String mayBeRetried() {
    return engine.mayBeRetried();
  }

  @Override
  public void load(Table facts) throws IOException {
    engine.load(facts);
  }

  @Override
  public void define(String name, String sql) throws IOException {
    prepare(sql);
    engine.define(name, sql);
  }

  @Override
  public void view(String name, String sql) throws IOException {
    prepare(sql);
    engine.view(name, sql);
    if (name.equals(RequestScope.REQUESTS)) {
      missing.addAll(Rollups.names());
    }
  }

  @Override
  public List<List<Object>> rows(String sql, List<Column> columns) throws IOException {
    prepare(sql);
    return engine.rows(sql, columns);
  }

  @Override
  public void close() throws IOException {
    engine.close();
  }
}
