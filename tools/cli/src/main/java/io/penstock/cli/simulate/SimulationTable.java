/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.simulator.cluster.outcome.ScenarioSummary;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats simulated runs, scenario by scenario. */
enum SimulationTable {
  TABLE {
    @Override
    String head(List<SendPolicy> policies) {
      return "";
    }

    @Override
    String of(List<ScenarioSummary> rows) {
      var scenario = rows.get(0).scenario();
      return scenario.name()
          + ": "
          + scenario.title()
          + "\n\n"
          + (scenario.store().storm().comes() ? storm(rows) : usual(rows));
    }

    private String storm(List<ScenarioSummary> rows) {
      AlignedRows table =
          new AlignedRows(
              "policy", "time s", "all %", "failed", "requests", "in storm %", "asleep s");
      for (ScenarioSummary row : rows) {
        table.row(
            row.policy().slug(),
            (row.finished() ? "" : ">") + number("%.1f", row.seconds()),
            number("%.2f", 100 * row.throttledOfAll()),
            number("%.1f", row.failed()),
            Values.count(Math.round(row.requests())),
            number("%.1f", 100 * row.servedInStorm()),
            number("%.1f", row.sleptIntoCalm()));
      }
      return table
          + "\n  in storm %: served a second, of what was served before the storm; asleep s: the"
          + "\n  longest sleep from the storm into the calm.";
    }

    private String usual(List<ScenarioSummary> rows) {
      AlignedRows table =
          new AlignedRows(
              "policy", "time s", "x ideal", "writes %", "all %", "failed", "requests", "Jain");
      for (ScenarioSummary row : rows) {
        table.row(
            row.policy().slug(),
            (row.finished() ? "" : ">") + number("%.1f", row.seconds()),
            number("%.3f", row.overIdeal()),
            number("%.2f", 100 * row.throttledOfWrites()),
            number("%.2f", 100 * row.throttledOfAll()),
            number("%.0f", row.failed()),
            Values.count(Math.round(row.requests())),
            row.scenario().rivals().count() == 0 ? "-" : number("%.3f", row.jain()));
      }
      return table.toString();
    }

    @Override
    String foot() {
      return "  x ideal: over the time of an oracle; writes %, all %: throttled share of each.";
    }
  },

  CSV {
    @Override
    String head(List<SendPolicy> policies) {
      return "scenario,policy,seconds,over_ideal,throttled_writes_percent,throttled_percent,"
          + "failed,requests,jain,finished,served_in_storm_percent,slept_into_calm_seconds";
    }

    @Override
    String of(List<ScenarioSummary> rows) {
      return rows.stream()
          .map(
              row ->
                  String.join(
                      ",",
                      quoted(row.scenario().name()),
                      row.policy().slug(),
                      number("%.3f", row.seconds()),
                      number("%.4f", row.overIdeal()),
                      number("%.4f", 100 * row.throttledOfWrites()),
                      number("%.4f", 100 * row.throttledOfAll()),
                      number("%.2f", row.failed()),
                      number("%.1f", row.requests()),
                      number("%.4f", row.jain()),
                      String.valueOf(row.finished()),
                      number("%.2f", 100 * row.servedInStorm()),
                      number("%.2f", row.sleptIntoCalm())))
          .collect(Collectors.joining("\n"));
    }
  },

  MD {
    @Override
    String head(List<SendPolicy> policies) {
      String names = policies.stream().map(SendPolicy::slug).collect(Collectors.joining(" | "));
      return "| scenario | " + names + " |\n|---|" + "---|".repeat(policies.size());
    }

    @Override
    String of(List<ScenarioSummary> rows) {
      return rows.stream()
          .map(SimulationTable::cell)
          .collect(Collectors.joining(" | ", "| " + rows.get(0).scenario().name() + " | ", " |"));
    }
  };

  /** Returns the text before the first scenario. */
  abstract String head(List<SendPolicy> policies);

  /** Returns the text of one scenario under each policy. */
  abstract String of(List<ScenarioSummary> rows);

  /** Returns the text after the last scenario. */
  String foot() {
    return "";
  }

  private static String cell(ScenarioSummary row) {
    String failed = row.failed() > 0 ? number(" (%.1f failed)", row.failed()) : "";
    return (row.finished() ? "" : "> ")
        + number("%.3f", row.overIdeal())
        + number(" / %.2f", 100 * row.throttledOfWrites())
        + failed;
  }

  private static String quoted(String text) {
    return text.matches("[\\w.-]+") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String number(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }
}
