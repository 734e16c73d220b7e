/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.sparklog.SparkRuns;
import io.penstock.tables.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tables of few rows that logs fill beside their requests; each is there, be it empty. */
final class Facts {
  private final Map<String, Table> tables = new LinkedHashMap<>();

  /** The facts of no logs at all. */
  Facts() {
    new SparkRuns().tables().forEach(this::add);
    add(new ClientFacts().applications());
    add(new DnsQueries().table());
  }

  /** Takes the place of the one of the same id. */
  void add(Table table) {
    tables.put(table.id(), table);
  }

  List<Table> all() {
    return List.copyOf(tables.values());
  }

  /** The names of all tables that are there once logs were read. */
  static List<String> names() {
    return Stream.concat(
            Stream.of(LogTables.FILES, LogTables.CASES), new Facts().tables.keySet().stream())
        .toList();
  }
}
