/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.errortext.Troubles;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.Packing;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.sparklog.SparkRuns;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the tables that list the files and records that were read or left out. */
final class LogTables {
  static final String FILES = "log_files";
  static final String CASES = "log_cases";

  /** A file, with the statistics of its records; the format of an unknown file is null. */
  private record Row(
      int number,
      LogSource source,
      String format,
      List<Packing> packings,
      ParseStatistics records) {
    String packing() {
      return format == null
          ? null
          : packings.stream().map(Packing::title).collect(Collectors.joining(" in "));
    }

    String damage() {
      return records.damage().isEmpty() ? null : records.damage();
    }
  }

  /** A record that is not a request, or several with the same reason. */
  private record OneCase(int file, String what, String reason, ParseStatistics.Case records) {}

  private static final TableShape<Row> ALL_FILES =
      new TableShape<Row>(FILES, "Files")
          .with("file", Kind.COUNT, Row::number)
          .with("name", Kind.TEXT, row -> row.source.name())
          .with("format", Kind.TEXT, Row::format)
          .with("packing", Kind.TEXT, Row::packing)
          .with("bytes", Kind.BYTES, row -> row.source.sizeBytes())
          .with("records", Kind.COUNT, row -> row.records.records())
          .with("requests", Kind.COUNT, row -> row.records.requests())
          .with("rejected", Kind.COUNT, row -> row.records.rejectedRecords())
          .with("skipped", Kind.COUNT, row -> row.records.skippedRecords())
          .with("damage", Kind.TEXT, Row::damage);

  private static final TableShape<OneCase> ALL_CASES =
      new TableShape<OneCase>(CASES, "Records that are not requests")
          .with("file", Kind.COUNT, OneCase::file)
          .with("what", Kind.TEXT, OneCase::what)
          .with("reason", Kind.TEXT, OneCase::reason)
          .with("records", Kind.COUNT, one -> one.records.count())
          .with("position", Kind.COUNT, one -> one.records.position())
          .with("sample", Kind.TEXT, one -> one.records.sample());

  private LogTables() {}

  /** Returns the names of all tables that exist after logs were read, whatever these were. */
  static List<String> names() {
    List<Table> facts = new ArrayList<>(new SparkRuns().tables());
    facts.add(new ClientFacts().applications());
    facts.add(new ErrorTexts().table());
    facts.add(new Troubles().table());
    facts.add(new DnsQueries().table());
    return Stream.concat(Stream.of(FILES, CASES), facts.stream().map(Table::id)).toList();
  }

  static Table files(LogSet set, Map<Integer, ParseStatistics> statisticsByFile) {
    List<Row> rows = new ArrayList<>();
    for (LogFile file : set.requests()) {
      ParseStatistics records = statisticsByFile.get(file.number());
      String format = file.format().title();
      rows.add(new Row(file.number(), file.source(), format, file.packings(), records));
    }
    for (FactFile file : set.facts()) {
      ParseStatistics records = statisticsByFile.get(file.number());
      String format = file.sort().title();
      rows.add(new Row(file.number(), file.source(), format, file.packings(), records));
    }
    for (LogSet.Unknown file : set.unknown()) {
      ParseStatistics none = new ParseStatistics();
      none.damage(file.why());
      rows.add(new Row(file.number(), file.source(), null, List.of(), none));
    }
    rows.sort(Comparator.comparingInt(Row::number));
    return ALL_FILES.of(rows);
  }

  static Table cases(Map<Integer, ParseStatistics> statisticsByFile) {
    List<OneCase> cases = new ArrayList<>();
    statisticsByFile.forEach(
        (file, records) -> {
          records
              .rejected()
              .forEach((why, all) -> cases.add(new OneCase(file, "rejected", why, all)));
          records
              .skipped()
              .forEach((why, all) -> cases.add(new OneCase(file, "skipped", why, all)));
        });
    return ALL_CASES.of(cases);
  }
}
