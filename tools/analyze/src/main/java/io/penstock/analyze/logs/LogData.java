/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.analysis.LazyRollups;
import io.penstock.analyze.analysis.Rollups;
import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.duckdb.DuckEngine;
import io.penstock.analyze.engine.EngineProvider;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.input.BucketSource;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The data of logs that were read: an engine with {@code s3_requests}, the rollups, the facts from
 * event logs, and the list of files that were read.
 */
public final class LogData implements AutoCloseable {
  /** The table of all requests that were read, before any filter. */
  public static final String ALL = "s3_all";

  /** The most bytes of small files that are kept from telling their format until they are read. */
  private static final long MOST_REMEMBERED = 64 << 20;

  /**
   * How many objects of a bucket are opened at the same time: most of it is waiting. Each may fetch
   * 8 MiB.
   */
  private static final int OPENED_AWAY = 8;

  private final QueryEngine engine;
  private final Cache cache;
  private final Choice choice;

  private LogData(QueryEngine engine, Cache cache, Choice choice) {
    this.engine = engine;
    this.cache = cache;
    this.choice = choice;
  }

  /**
   * Reads logs, or opens the cached data of the same logs. The caller closes the result.
   *
   * @throws IOException also when no file has a known format
   * @throws IllegalArgumentException when the engine that {@code options} names does not exist
   */
  public static LogData open(List<LogSource> sources, LogOptions options, ReadProgress progress)
      throws IOException {
    Cache cache = Cache.open(options.cache(), sources);
    QueryEngine engine = null;
    try {
      engine = engine(options, cache);
      if (!restore(engine)) {
        read(engine, sources, options, progress);
      }
      Strangers.check(engine);
      Choice choice = Requests.define(engine, ALL, options.filter());
      if (options.cache().isEmpty()) {
        return new LogData(new LazyRollups(engine), cache, choice);
      }
      for (String name : Rollups.names()) {
        Rollups.define(engine, name);
      }
      cache.keep();
      return new LogData(engine, cache, choice);
    } catch (IOException | RuntimeException e) {
      if (engine != null) {
        engine.close();
      }
      cache.close();
      throw e;
    }
  }

  private static QueryEngine engine(LogOptions options, Cache cache) throws IOException {
    return options.elsewhere().isPresent()
        ? EngineProvider.engine(options.elsewhere().get())
        : DuckEngine.open(
            cache.directory(),
            cache.scratch(),
            options.memoryMiB(),
            options.threads(),
            options.cache().isPresent());
  }

  private static boolean restore(QueryEngine engine) throws IOException {
    if (!engine.restoreRequests(ALL)) {
      return false;
    }
    for (String name : LogTables.names()) {
      if (!engine.restore(name)) {
        return false;
      }
    }
    return true;
  }

  private static void read(
      QueryEngine engine, List<LogSource> sources, LogOptions options, ReadProgress progress)
      throws IOException {
    ClientFacts clients = new ClientFacts();
    LogSet set =
        LogSet.of(
            sources,
            new KnownFormats(clients),
            isAway(sources) ? OPENED_AWAY : options.threads(),
            options.elsewhere().isPresent() ? 0 : MOST_REMEMBERED,
            progress);
    Map<Integer, ParseStatistics> statisticsByFile = engine.read(ALL, set.requests(), progress);
    FactReader reader = new FactReader(statisticsByFile);
    ErrorTexts errors = reader.read(set.facts());
    errors.add(clients.errors());
    List<Table> facts = new ArrayList<>(reader.tables());
    facts.add(LogTables.files(set, statisticsByFile));
    facts.add(LogTables.cases(statisticsByFile));
    facts.add(clients.applications());
    facts.add(errors.table());
    facts.add(clients.troubles().table());
    for (Table table : facts) {
      engine.load(table);
      engine.keep(table.id());
    }
  }

  private static boolean isAway(List<LogSource> sources) {
    return sources.stream().anyMatch(BucketSource.class::isInstance);
  }

  public QueryEngine engine() {
    return engine;
  }

  /** Returns which source was used where several logs contain the same requests. */
  public Choice choice() {
    return choice;
  }

  @Override
  public void close() throws IOException {
    try {
      engine.close();
    } finally {
      cache.close();
    }
  }
}
