/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.rules.Advisor;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.analysis.Rollups;
import io.penstock.analyze.engine.EngineChoice;
import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.logs.Filter;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.logs.LogOptions;
import io.penstock.analyze.timeline.ObjectTimeline;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the logs hold, Spark's tables are those of the embedded engine, cell by cell. */
class EnginesAgreeTest {
  private static final List<String> FACTS =
      List.of(
          "spark_apps",
          "spark_settings",
          "spark_executors",
          "spark_stages",
          "spark_batches",
          "spark_sql",
          "spark_requests",
          "client_apps",
          "error_messages",
          "log_troubles",
          "dns_queries");

  /** The mode that Spark 4 has by default; with {@code -Dpenstock.test.long=true}, both. */
  private static final List<Boolean> ANSI_MODES =
      Boolean.getBoolean("penstock.test.long") ? List.of(false, true) : List.of(true);

  @TempDir static Path directory;

  private static LogData duck;
  private static LogData kept;
  private static LogData spark;
  private static List<Advice> duckAdvice;
  private static List<Advice> sparkAdvice;

  @BeforeAll
  static void readTheLogsTwice() throws IOException {
    List<LogSource> sources = new ArrayList<>();
    for (Path file : GeneratedLogs.write(directory)) {
      sources.add(LocalSource.of(file));
    }
    LocalSpark.start(Map.of());
    EngineChoice choice = new EngineChoice("spark", Optional.empty(), Map.of());
    duck = LogData.open(sources, options(Optional.empty()), ReadProgress.NONE);
    Optional<Path> cache = Optional.of(directory.resolve("cache"));
    kept =
        LogData.open(
            sources,
            new LogOptions(cache, 500, 2, Filter.NONE, Optional.empty()),
            ReadProgress.NONE);
    spark = LogData.open(sources, options(Optional.of(choice)), ReadProgress.NONE);
    for (String facts : FACTS) {
      List<Column> columns = columns(facts);
      duck.engine().load(GeneratedFacts.rows(facts, columns));
      spark.engine().load(GeneratedFacts.rows(facts, columns));
    }
    String object = "s3://" + ObjectTimeline.of(duck.engine(), Optional.empty()).object();
    assertThat(ObjectTimeline.of(duck.engine(), Optional.of(object)).object())
        .isEqualTo(ObjectTimeline.of(spark.engine(), Optional.of(object)).object());
    duckAdvice = Advisor.advise(duck.engine(), AdviceOptions.none());
    sparkAdvice = Advisor.advise(spark.engine(), AdviceOptions.none());
  }

  private static LogOptions options(Optional<EngineChoice> elsewhere) {
    return new LogOptions(Optional.empty(), 500, 2, Filter.NONE, elsewhere);
  }

  @AfterAll
  static void close() throws IOException {
    spark.close();
    duck.close();
    kept.close();
  }

  /** Every third query; with {@code -Dpenstock.test.long=true}, as .ci/run has it, each one. */
  static List<Analysis> analyses() throws IOException {
    List<Analysis> all = Queries.all();
    int step = Boolean.getBoolean("penstock.test.long") ? 1 : 3;
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get).toList();
  }

  static Stream<String> tables() {
    return Stream.concat(
        Stream.of(
            "log_files",
            "log_cases",
            "s3_requests",
            "s3_filtered",
            "s3_filtered_waits",
            "s3_waits",
            "s3_sources"),
        Rollups.names().stream());
  }

  /** Without what is made of event logs, too: those of this test are loaded into two engines. */
  static Stream<String> tablesOfRequests() {
    return tables().filter(name -> !name.equals("s3_applications"));
  }

  @ParameterizedTest
  @MethodSource("analyses")
  void everyQueryHasTheSameAnswer(Analysis analysis) throws IOException {
    for (boolean ansi : ANSI_MODES) {
      spark.engine().rows("set spark.sql.ansi.enabled = " + ansi, texts("key", "value"));
      assertThat(
              Twins.differences(
                  analysis.columns(),
                  analysis.run(duck.engine()).rows(),
                  analysis.run(spark.engine()).rows()))
          .as("%s %s with ANSI mode %s", analysis.name(), analysis.title(), ansi)
          .isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyTableBehindTheQueriesIsTheSame(String table) throws IOException {
    // Of the attempts that tell nothing, an engine may have more than it needs.
    String rows = table.equals("s3_attempts") ? " where telling = 1" : "";
    assertThat(differences(table, rows, spark)).isEmpty();
  }

  /** The second look finds its tables in files, where the first may have them in memory. */
  @ParameterizedTest
  @MethodSource("tablesOfRequests")
  void aTableThatIsKeptIsTheSame(String table) throws IOException {
    assertThat(differences(table, "", kept)).isEmpty();
  }

  private static List<String> differences(String table, String rows, LogData other)
      throws IOException {
    List<Column> columns = columns(table);
    String names = String.join(", ", columns.stream().map(Column::name).toList());
    String query = "select " + names + " from " + table + rows;
    return Twins.differences(
        columns,
        Twins.sorted(duck.engine().rows(query, columns)),
        Twins.sorted(other.engine().rows(query, columns)));
  }

  @Test
  void theAdviceIsTheSame() {
    assertThat(sparkAdvice)
        .extracting(Advice::rule, Advice::verdict)
        .isEqualTo(duckAdvice.stream().map(one -> tuple(one.rule(), one.verdict())).toList())
        .hasSizeGreaterThan(10);
  }

  @Test
  void theLogsPutTheEnginesToTheTest() throws IOException {
    for (String table : List.of("s3_chains", "s3_outputs", "log_cases")) {
      assertThat(columnOf("select count(*) from " + table)).as(table).isNotEqualTo(List.of(0L));
    }
    for (Analysis analysis : analyses()) {
      assertThat(analysis.run(duck.engine()).rows()).as(analysis.name()).isNotEmpty();
    }
    assertThat(duck.choice().repeated()).isPositive();
    assertThat(spark.choice()).isEqualTo(duck.choice());
  }

  private static List<Object> columnOf(String query) throws IOException {
    return duck.engine().rows(query, List.of(new Column("n", Kind.COUNT))).get(0);
  }

  /** As Spark knows them. */
  private static List<Column> columns(String table) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (List<Object> row :
        spark.engine().rows("describe " + table, texts("col_name", "data_type", "comment"))) {
      columns.add(new Column((String) row.get(0), kind((String) row.get(1))));
    }
    return columns;
  }

  private static List<Column> texts(String... names) {
    return Arrays.stream(names).map(name -> new Column(name, Kind.TEXT)).toList();
  }

  private static Kind kind(String type) {
    return switch (type) {
      case "string" -> Kind.TEXT;
      case "timestamp" -> Kind.TIME;
      case "boolean" -> Kind.FLAG;
      case "double" -> Kind.NUMBER;
      case "bigint", "int" -> Kind.COUNT;
      default -> throw new IllegalStateException(type);
    };
  }
}
