/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;

/** Settings and tables for tests. */
public final class GivenSettings {
  private GivenSettings() {}

  /** Of an application of a version, with properties of Spark as names and values. */
  public static JobSettings spark(String version, String... settings) {
    List<List<Object>> rows = new ArrayList<>();
    rows.add(List.of("spark", "spark.app.name", "job"));
    for (int i = 0; i < settings.length; i += 2) {
      rows.add(List.of("spark", settings[i], settings[i + 1]));
    }
    return new JobSettings(
        table("spark_version", List.of(List.of(version))),
        table("kind name value", rows),
        table("user_agent", List.of()),
        AdviceOptions.none());
  }

  /** No event log, and nobody's user agent. */
  public static JobSettings unknown() {
    return new JobSettings(
        table("spark_version", List.of()),
        table("kind name value", List.of()),
        table("user_agent", List.of()),
        AdviceOptions.none());
  }

  /** No event log, and a user agent. */
  public static JobSettings agent(String agent) {
    return new JobSettings(
        table("spark_version", List.of()),
        table("kind name value", List.of()),
        table("user_agent", List.of(List.of(agent))),
        AdviceOptions.none());
  }

  /** A table of texts, or of whatever the rows hold. */
  public static Table table(String columns, List<List<Object>> rows) {
    List<Column> all = new ArrayList<>();
    for (String column : columns.split(" ", -1)) {
      all.add(new Column(column, Kind.TEXT));
    }
    return new Table("given", "", all, rows);
  }
}
