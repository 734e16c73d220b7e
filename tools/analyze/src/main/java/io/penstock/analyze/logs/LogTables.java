/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.Packing;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Creates the tables that list the files and records that were read or left out. */
final class LogTables {
  static final String FILES = "log_files";
  static final String CASES = "log_cases";

  private static final List<Column> FILES_COLUMNS =
      List.of(
          new Column("file", Kind.COUNT),
          new Column("name", Kind.TEXT),
          new Column("format", Kind.TEXT),
          new Column("packing", Kind.TEXT),
          new Column("bytes", Kind.BYTES),
          new Column("records", Kind.COUNT),
          new Column("requests", Kind.COUNT),
          new Column("rejected", Kind.COUNT),
          new Column("skipped", Kind.COUNT),
          new Column("damage", Kind.TEXT));

  private static final List<Column> CASES_COLUMNS =
      List.of(
          new Column("file", Kind.COUNT),
          new Column("what", Kind.TEXT),
          new Column("reason", Kind.TEXT),
          new Column("records", Kind.COUNT),
          new Column("position", Kind.COUNT),
          new Column("sample", Kind.TEXT));

  private LogTables() {}

  static Table files(LogSet set, Map<Integer, ParseStatistics> statisticsByFile) {
    List<List<Object>> rows = new ArrayList<>();
    for (LogFile file : set.requests()) {
      String format = file.format().title();
      rows.add(row(file.number(), file.source(), format, file.packings(), statisticsByFile));
    }
    for (FactFile file : set.facts()) {
      String format = file.sort().title();
      rows.add(row(file.number(), file.source(), format, file.packings(), statisticsByFile));
    }
    for (LogSet.Unknown file : set.unknown()) {
      rows.add(
          Arrays.asList(
              (long) file.number(),
              file.source().name(),
              null,
              null,
              file.source().sizeBytes(),
              0L,
              0L,
              0L,
              0L,
              file.why()));
    }
    rows.sort(Comparator.comparingLong(row -> (Long) row.get(0)));
    return new Table(FILES, "Files", FILES_COLUMNS, rows);
  }

  private static List<Object> row(
      int number,
      LogSource source,
      String format,
      List<Packing> packings,
      Map<Integer, ParseStatistics> statisticsByFile) {
    ParseStatistics statistics = statisticsByFile.get(number);
    long skipped =
        statistics.skipped().values().stream().mapToLong(ParseStatistics.Case::count).sum();
    return Arrays.asList(
        (long) number,
        source.name(),
        format,
        packings.stream().map(Packing::title).collect(Collectors.joining(" in ")),
        source.sizeBytes(),
        statistics.records(),
        statistics.requests(),
        statistics.rejectedRecords(),
        skipped,
        statistics.damage().isEmpty() ? null : statistics.damage());
  }

  static Table cases(Map<Integer, ParseStatistics> statisticsByFile) {
    List<List<Object>> rows = new ArrayList<>();
    statisticsByFile.forEach(
        (file, statistics) -> {
          add(rows, file, "rejected", statistics.rejected());
          add(rows, file, "skipped", statistics.skipped());
        });
    return new Table(CASES, "Records that are not requests", CASES_COLUMNS, rows);
  }

  private static void add(
      List<List<Object>> rows, long file, String what, Map<String, ParseStatistics.Case> cases) {
    cases.forEach(
        (reason, c) -> rows.add(List.of(file, what, reason, c.count(), c.position(), c.sample())));
  }
}
