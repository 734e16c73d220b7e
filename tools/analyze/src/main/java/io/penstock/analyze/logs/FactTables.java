/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.sparklog.SparkRuns;
import io.penstock.tables.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The small tables with facts other than requests. Every table exists, even if it has no rows. */
final class FactTables {
  private final Map<String, Table> tables = new LinkedHashMap<>();

  /** Creates the tables without rows. */
  FactTables() {
    new SparkRuns().tables().forEach(this::add);
    add(new ClientFacts().applications());
    add(new ErrorTexts().table());
    add(new DnsQueries().table());
  }

  /** Adds a table, and replaces the table with the same id. */
  void add(Table table) {
    tables.put(table.id(), table);
  }

  List<Table> all() {
    return List.copyOf(tables.values());
  }

  /** Returns the names of all tables that exist after logs were read. */
  static List<String> names() {
    return Stream.concat(
            Stream.of(LogTables.FILES, LogTables.CASES), new FactTables().tables.keySet().stream())
        .toList();
  }
}
