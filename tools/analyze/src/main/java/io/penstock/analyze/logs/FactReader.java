/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.Unpacked;
import io.penstock.analyze.sparklog.EventLogParts;
import io.penstock.analyze.sparklog.SparkRun;
import io.penstock.analyze.sparklog.SparkRuns;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the logs that contain no requests. */
final class FactReader {
  private final List<Table> tables = new ArrayList<>();
  private final Map<Integer, ParseStatistics> statisticsByFile;

  /**
   * @param statisticsByFile receives the statistics of the records, by the number of the file
   */
  FactReader(Map<Integer, ParseStatistics> statisticsByFile) {
    this.statisticsByFile = statisticsByFile;
  }

  /** Returns the tables of the facts that were read; those without facts have no rows. */
  List<Table> tables() {
    return tables;
  }

  /** Reads the files, and returns the answers of S3 that errors in them name. */
  ErrorTexts read(List<FactFile> files) throws IOException {
    Map<String, FactFile> events = new LinkedHashMap<>();
    List<FactFile> dns = new ArrayList<>();
    for (FactFile file : files) {
      statisticsByFile.put(file.number(), new ParseStatistics());
      switch (file.sort()) {
        case SPARK -> events.put(file.source().name(), file);
        case DNS -> dns.add(file);
      }
    }
    ErrorTexts errors = spark(events);
    dns(dns);
    return errors;
  }

  private ErrorTexts spark(Map<String, FactFile> events) throws IOException {
    SparkRuns runs = new SparkRuns();
    for (EventLogParts log : EventLogParts.of(events.keySet())) {
      SparkRun run = new SparkRun(log.name());
      for (String path : log.paths()) {
        FactFile file = events.get(path);
        ParseStatistics statistics = statisticsByFile.get(file.number());
        try (Unpacked text = Unpacked.open(file.source())) {
          run.read(text, statistics);
          text.damage().ifPresent(statistics::damage);
        }
      }
      runs.add(run);
    }
    tables.addAll(runs.tables());
    return runs.errors();
  }

  private void dns(List<FactFile> files) throws IOException {
    DnsQueries queries = new DnsQueries();
    for (FactFile file : files) {
      try (Unpacked text = Unpacked.open(file.source())) {
        queries.read(text);
        text.damage().ifPresent(statisticsByFile.get(file.number())::damage);
      }
    }
    tables.add(queries.table());
  }
}
