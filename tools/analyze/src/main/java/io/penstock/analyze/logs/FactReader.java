/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.Unpacked;
import io.penstock.analyze.sparklog.EventLogParts;
import io.penstock.analyze.sparklog.SparkRun;
import io.penstock.analyze.sparklog.SparkRuns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the logs that hold no requests. */
final class FactReader {
  private final Facts facts;
  private final Map<Integer, ParseStatistics> tallies;

  /**
   * @param facts takes the tables
   * @param tallies takes what became of the records, by the number of the file
   */
  FactReader(Facts facts, Map<Integer, ParseStatistics> tallies) {
    this.facts = facts;
    this.tallies = tallies;
  }

  void read(List<FactFile> files) throws IOException {
    Map<String, FactFile> events = new LinkedHashMap<>();
    List<FactFile> dns = new ArrayList<>();
    for (FactFile file : files) {
      tallies.put(file.number(), new ParseStatistics());
      switch (file.sort()) {
        case SPARK -> events.put(file.source().name(), file);
        case DNS -> dns.add(file);
      }
    }
    spark(events);
    dns(dns);
  }

  private void spark(Map<String, FactFile> events) throws IOException {
    SparkRuns runs = new SparkRuns();
    for (EventLogParts log : EventLogParts.of(events.keySet())) {
      SparkRun run = new SparkRun(log.name());
      for (String path : log.paths()) {
        FactFile file = events.get(path);
        ParseStatistics tally = tallies.get(file.number());
        try (Unpacked text = open(file.source())) {
          run.read(text, tally);
          text.damage().ifPresent(tally::damage);
        }
      }
      runs.add(run);
    }
    runs.tables().forEach(facts::add);
  }

  private void dns(List<FactFile> files) throws IOException {
    DnsQueries queries = new DnsQueries();
    for (FactFile file : files) {
      try (Unpacked text = open(file.source())) {
        queries.read(text);
        text.damage().ifPresent(tallies.get(file.number())::damage);
      }
    }
    facts.add(queries.table());
  }

  private static Unpacked open(LogSource source) throws IOException {
    return Unpacked.open(source.open(0));
  }
}
