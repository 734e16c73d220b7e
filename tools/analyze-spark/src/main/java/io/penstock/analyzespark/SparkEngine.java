/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.engine.EngineChoice;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.engine.QueryFailedException;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/**
 * The engine that runs on Spark, local or on a cluster. The executors read the logs in parts, with
 * the same parsers as the embedded engine.
 */
final class SparkEngine implements QueryEngine {
  /** The Spark settings that the queries depend on. ANSI mode may be on or off. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.session.timeZone", "UTC",
          "spark.sql.timestampType", "TIMESTAMP_LTZ",
          "spark.sql.datetime.java8API.enabled", "true",
          "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS",
          "spark.sql.parser.escapedStringLiterals", "false",
          "spark.sql.caseSensitive", "false");

  private static final String REPEATS =
      """
      select file, position
      from (
        select
          a.file, a.position,
          row_number() over (partition by a.record order by a.file, a.position) as place
        from s3_records a
        join (
          select record
          from s3_records
          where record is not null
          group by record
          having count(*) > 1
        ) r on a.record = r.record
      ) numbered
      where place > 1\
      """;

  private static final String WITHOUT_REPEATS =
      """
      select r.*
      from s3_records r
      anti join s3_repeats d on r.file = d.file and r.position = d.position\
      """;

  private final SparkSession spark;
  private final EngineChoice choice;
  private final WorkDirectory directory;
  private final Runnable atClose;
  // A counter in the file names, so that a name can be defined again while its first files still
  // exist.
  private int defined;
  private long repeats;

  private SparkEngine(
      SparkSession spark, EngineChoice choice, WorkDirectory directory, Runnable atClose) {
    this.spark = spark;
    this.choice = choice;
    this.directory = directory;
    this.atClose = atClose;
  }

  /**
   * Opens an engine in a new session with its own names and settings.
   *
   * @param shared the session of the process, which stays unchanged
   */
  static SparkEngine open(SparkSession shared, EngineChoice choice, Runnable atClose)
      throws IOException {
    SparkSession spark = shared.newSession();
    SETTINGS.forEach((name, value) -> spark.conf().set(name, value));
    WorkDirectory directory = WorkDirectory.open(spark.sparkContext(), choice.workDirectory());
    return new SparkEngine(spark, choice, directory, atClose);
  }

  @Override
  public Map<Integer, ParseStatistics> read(String name, List<LogFile> files, ReadProgress progress)
      throws IOException {
    RequestFiles requests = new RequestFiles(spark, next(name));
    try {
      requests.write(files, choice.storeSettings(), progress);
    } catch (Exception e) {
      throw new IOException("Spark could not read the logs: " + SparkFailure.reason(e), e);
    } finally {
      progress.done();
    }
    view("s3_records", requests.requests());
    define("s3_repeats", REPEATS);
    List<Column> count = List.of(new Column("n", Kind.COUNT));
    repeats = (long) rows("select count(*) from s3_repeats", count).get(0).get(0);
    view(name, repeats == 0 ? "select * from s3_records" : WITHOUT_REPEATS);
    return statisticsByFile(files, requests.results());
  }

  @Override
  public long repeats() {
    return repeats;
  }

  private static Map<Integer, ParseStatistics> statisticsByFile(
      List<LogFile> files, List<PartResult> results) {
    Map<Integer, LogFormat> formats = new HashMap<>();
    Map<Integer, ParseStatistics> statisticsByFile = new HashMap<>();
    for (LogFile file : files) {
      formats.put(file.number(), file.format());
      statisticsByFile.put(file.number(), new ParseStatistics());
    }
    for (PartResult result : results) {
      statisticsByFile.get(result.file()).add(result.statistics());
      if (result.learned() != null) {
        formats.get(result.file()).learn(result.learned());
      }
    }
    return statisticsByFile;
  }

  private String next(String name) {
    return directory.resolve(name + "-" + defined++);
  }

  @Override
  public void load(Table facts) {
    List<Row> rows = new ArrayList<>(facts.rows().size());
    for (List<Object> row : facts.rows()) {
      rows.add(RowFactory.create(row.toArray()));
    }
    spark
        .createDataFrame(rows, SparkValues.schema(facts.columns()))
        .createOrReplaceTempView(facts.id());
  }

  @Override
  public void define(String name, String sql) throws IOException {
    String files = next(name);
    try {
      spark.sql(Dialect.spark(sql)).write().parquet(files);
    } catch (Exception e) {
      throw failed(sql, e);
    }
    view(name, "select * from parquet.`" + files.replace("`", "``") + "`");
  }

  @Override
  public void view(String name, String sql) throws IOException {
    try {
      spark.sql(Dialect.spark(sql)).createOrReplaceTempView(name);
    } catch (Exception e) {
      throw failed(sql, e);
    }
  }

  @Override
  public List<List<Object>> rows(String sql, List<Column> columns) throws IOException {
    List<Row> found;
    try {
      found = spark.sql(Dialect.spark(sql)).collectAsList();
    } catch (Exception e) {
      throw failed(sql, e);
    }
    List<List<Object>> rows = new ArrayList<>(found.size());
    for (Row row : found) {
      if (row.size() != columns.size()) {
        String wrong = "it yields %d columns, not %d".formatted(row.size(), columns.size());
        throw new QueryFailedException(sql, new IllegalArgumentException(wrong));
      }
      rows.add(SparkValues.of(row, columns));
    }
    return rows;
  }

  /**
   * Wraps any exception, because Spark throws checked exceptions that its methods do not declare.
   */
  private static IOException failed(String sql, Exception e) {
    return new QueryFailedException(sql, e);
  }

  @Override
  public void close() throws IOException {
    try {
      directory.close();
    } finally {
      atClose.run();
    }
  }
}
