/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.engine.QueryFailedException;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogParts;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The embedded engine. It uses all cores of one machine and spills to a directory. */
public final class DuckEngine implements QueryEngine {
  /** The definitions of functions that Spark has built in under the same names. */
  private static final List<String> MACROS =
      List.of(
          "create macro unix_seconds(t) as epoch_ms(t) // 1000",
          "create macro unix_millis(t) as epoch_ms(t)");

  /** A file with the names of the files of requests, one on each line. */
  private static final String REQUESTS = "requests.list";

  /** The rows of queries that read this view are kept, as it has a row for each request. */
  private static final String ALL_REQUESTS = "s3_requests";

  /**
   * What is computed from so many records, which are about 2 GB of access logs, may stay in memory.
   * Each query would open files again.
   */
  private static final long FEW_RECORDS = 5_000_000;

  private static final List<Column> COUNT = Column.list("n count");

  private static final AtomicInteger OPENED = new AtomicInteger();

  private final DuckDBConnection connection;
  private final Path directory;
  private final Path scratch;
  private final int threads;
  // All definitions so far: a kept result is valid only if the definitions before it are the same.
  private final Lineage lineage = new Lineage();
  private final Set<String> knownNames = new HashSet<>();
  // Answers to queries since a name changed its meaning: the page asks what the advice asked.
  private final Map<List<Object>, List<List<Object>>> answers = new HashMap<>();
  // Whether a later engine may open the directory.
  private final boolean isKept;
  // Whether the answers to queries depend only on the logs and on the definitions so far.
  private boolean isOfLogs;
  private boolean isDefined;
  private long repeats;
  // Whether the logs are so few that what is computed from them may stay in memory.
  private boolean isSmall;
  // Whether the requests are from files, which have marks.
  private boolean isShown;

  private DuckEngine(
      DuckDBConnection connection, Path directory, Path scratch, int threads, boolean isKept) {
    this.isKept = isKept;
    this.connection = connection;
    this.directory = directory;
    this.scratch = scratch;
    this.threads = threads;
  }

  /**
   * Opens an engine.
   *
   * @param directory the directory where the engine keeps computed tables as Parquet, so that the
   *     next engine opened there finds them; use it only for the same logs
   * @param memoryMiB the most memory that queries use; data that does not fit is written to the
   *     directory
   * @param threads the most threads for reading and for queries
   */
  public static DuckEngine open(Path directory, int memoryMiB, int threads) throws IOException {
    // The name is unique: several engines, in this process and in others, may share a directory.
    String mark = ProcessHandle.current().pid() + "-" + OPENED.incrementAndGet();
    Path scratch = directory.resolve("spill-" + mark);
    return open(directory, scratch, memoryMiB, threads, true, false);
  }

  /**
   * Opens an engine.
   *
   * @param scratch a directory on the same file system, for unfinished files and for data that does
   *     not fit in memory; no other engine may use it
   * @param isKept whether a later engine may open the directory; what is kept for it includes the
   *     rows of queries on all requests
   */
  public static DuckEngine open(
      Path directory, Path scratch, int memoryMiB, int threads, boolean isKept) throws IOException {
    return open(directory, scratch, memoryMiB, threads, isKept, isKept);
  }

  private static DuckEngine open(
      Path directory, Path scratch, int memoryMiB, int threads, boolean isKept, boolean keepsRows)
      throws IOException {
    Files.createDirectories(directory);
    Files.createDirectories(scratch);
    Properties properties = new Properties();
    properties.setProperty("temp_directory", scratch.toString());
    properties.setProperty("memory_limit", memoryMiB + "MiB");
    properties.setProperty("threads", Integer.toString(threads));
    properties.setProperty("preserve_insertion_order", "false");
    // The same order of nulls as in Spark, so that both engines number the rows of a window alike.
    properties.setProperty("default_null_order", "nulls_first_on_asc_last_on_desc");
    // Logs are untrusted: no content of a log can make the engine load code or use the network.
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    try {
      DuckDBConnection connection =
          DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
      DuckEngine engine = new DuckEngine(connection, directory, scratch, threads, isKept);
      engine.isOfLogs = keepsRows;
      for (String macro : MACROS) {
        engine.run(macro);
      }
      return engine;
    } catch (SQLException e) {
      throw new IOException("DuckDB does not start: " + e.getMessage(), e);
    }
  }

  DuckDBConnection connection() {
    return connection;
  }

  /** Runs a statement that returns no rows. */
  public void run(String sql) throws IOException {
    answers.clear();
    execute(sql);
  }

  private void execute(String sql) throws IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failure(sql, e);
    }
  }

  IOException failure(String sql, SQLException e) {
    return DuckFailure.of(sql, e, directory);
  }

  @Override
  public void load(Table facts) throws IOException {
    // What is loaded after the definitions is no part of the logs.
    isOfLogs &= !isDefined;
    put(facts);
    named(facts.id());
  }

  /** Creates a table with the rows of another. */
  void put(Table facts) throws IOException {
    String columns =
        facts.columns().stream()
            .map(column -> column.name() + " " + column.kind().sqlType())
            .collect(Collectors.joining(", "));
    execute("create or replace table " + facts.id() + " (" + columns + ")");
    try (DuckDBAppender appender =
        connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, facts.id())) {
      for (List<Object> row : facts.rows()) {
        appender.beginRow();
        for (Object value : row) {
          DuckValues.append(appender, value);
        }
        appender.endRow();
      }
    } catch (SQLException e) {
      throw new QueryFailedException("insert into " + facts.id(), e);
    }
  }

  @Override
  public Map<Integer, ParseStatistics> read(String name, List<LogFile> files, ReadProgress progress)
      throws IOException {
    LogParts parts = new LogParts(files);
    progress.reading(parts);
    long expected = RequestStore.expected(files);
    isSmall = expected <= FEW_RECORDS;
    SeenRecords seen = new SeenRecords(expected);
    RetriedChains retried = new RetriedChains(expected);
    List<RequestFile> written;
    try {
      written = RequestStore.write(parts, scratch, threads, seen, retried);
      Repeats.mark(this, written, seen);
      retried.mark(written);
    } finally {
      progress.done();
    }
    List<Path> kept = new ArrayList<>();
    StringBuilder names = new StringBuilder();
    for (RequestFile file : written) {
      kept.add(directory.resolve(file.path().getFileName()));
      put(kept.get(kept.size() - 1));
      names.append(file.path().getFileName()).append('\n');
    }
    Files.writeString(scratch.resolve(REQUESTS), names);
    put(directory.resolve(REQUESTS));
    show(name, kept);
    Map<Integer, ParseStatistics> statisticsByFile = new HashMap<>();
    for (LogFile log : files) {
      statisticsByFile.put(log.number(), parts.statistics(log.number()));
    }
    return statisticsByFile;
  }

  @Override
  public boolean restoreRequests(String name) throws IOException {
    Path list = directory.resolve(REQUESTS);
    if (!Seal.holds(list)) {
      return false;
    }
    List<Path> files = Files.readAllLines(list).stream().map(directory::resolve).toList();
    for (Path file : files) {
      if (!Seal.holds(file)) {
        return false;
      }
    }
    show(name, files);
    return true;
  }

  private void show(String name, List<Path> files) throws IOException {
    // The paths are not part of the lineage, because they change when the files are complete.
    lineage.add(name, REQUESTS);
    isShown = true;
    repeats = (long) queried(RequestStore.queryRepeats(files), COUNT).get(0).get(0);
    execute("create or replace view " + name + " as " + RequestStore.query(files, repeats > 0));
    named(name);
  }

  @Override
  public long repeats() {
    return repeats;
  }

  @Override
  public String mayBeRetried() {
    return isShown ? RequestFile.RETRIED : QueryEngine.super.mayBeRetried();
  }

  @Override
  public void keep(String name) throws IOException {
    if (!isKept) {
      return;
    }
    Path file = kept(name);
    execute("copy " + name + " to " + SqlPath.literal(scratch(file)) + " (format parquet)");
    put(file);
  }

  private Path scratch(Path file) {
    return scratch.resolve(file.getFileName());
  }

  /**
   * Moves a complete file to its final place. Another run may already have put the same file there.
   */
  private void put(Path file) throws IOException {
    try {
      Files.move(scratch(file), file, StandardCopyOption.REPLACE_EXISTING);
      if (isKept) {
        Seal.put(file);
      }
    } catch (NoSuchFileException e) {
      throw DuckFailure.gone(directory, e);
    }
  }

  @Override
  public boolean restore(String name) throws IOException {
    if (!Seal.holds(kept(name))) {
      return false;
    }
    execute("create or replace table " + name + " as select * from " + SqlPath.parquet(kept(name)));
    return true;
  }

  private Path kept(String name) {
    return directory.resolve(name + ".parquet");
  }

  @Override
  public void define(String name, String sql) throws IOException {
    lineage.add(name, sql);
    if (isSmall && !isKept) {
      execute("create or replace table " + name + " as " + sql);
      named(name);
      return;
    }
    Path file = directory.resolve(name + "-" + lineage.hash() + ".parquet");
    if (!Seal.holds(file)) {
      execute(
          "copy (%s) to %s (format parquet, compression zstd)"
              .formatted(sql, SqlPath.literal(scratch(file))));
      put(file);
    }
    execute("create or replace view " + name + " as select * from " + SqlPath.parquet(file));
    named(name);
  }

  @Override
  public void view(String name, String sql) throws IOException {
    isDefined = true;
    lineage.add(name, sql);
    execute("create or replace view " + name + " as " + sql);
    named(name);
  }

  /** Forgets answers that may depend on a name's former meaning; a new name has none. */
  private void named(String name) {
    if (!knownNames.add(name)) {
      answers.clear();
    }
  }

  @Override
  public List<List<Object>> rows(String sql, List<Column> columns) throws IOException {
    List<Object> question = List.of(sql, columns);
    List<List<Object>> answer = answers.get(question);
    if (answer == null) {
      answer =
          isOfLogs && isDefined && sql.contains(ALL_REQUESTS)
              ? new KeptRows(this, "rows_" + lineage.hashWith(sql)).of(sql, columns)
              : queried(sql, columns);
      answers.put(question, answer);
    }
    return answer;
  }

  /** Runs a query, whether or not its rows were kept. */
  List<List<Object>> queried(String sql, List<Column> columns) throws IOException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int yielded = result.getMetaData().getColumnCount();
      if (yielded != columns.size()) {
        throw new SQLException("it yields %d columns, not %d".formatted(yielded, columns.size()));
      }
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
          row.add(DuckValues.of(result, i + 1, columns.get(i).kind()));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw failure(sql, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException("DuckDB does not close: " + e.getMessage(), e);
    }
    removeSpill();
  }

  private void removeSpill() throws IOException {
    if (!Files.isDirectory(scratch)) {
      return;
    }
    List<Path> left;
    try (Stream<Path> files = Files.list(scratch)) {
      left = files.toList();
    }
    for (Path file : left) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(scratch);
  }
}
