/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The questions of docs/athena.sql, on Trino, have the answers of {@code penstock analyze}. Trino
 * takes half a minute to start, so {@code .ci/run} asks it, and not each build.
 */
@EnabledIfSystemProperty(
    named = "penstock.test.long",
    matches = "true",
    disabledReason = "Trino starts with -Dpenstock.test.long=true only")
class AthenaPageTest {
  private static final Path FILE = Path.of("../../docs/athena.sql");
  private static final int OPERATIONS = 1;
  private static final int SECONDS = 2;
  private static final int PREFIXES = 3;
  private static final int TRAIL_OPERATIONS = 5;
  private static final int TRAIL_SECONDS = 6;

  @TempDir private static Path directory;

  private static List<String> statements;
  private static Trino trino;

  @BeforeAll
  static void loadTheSameLogs() throws IOException {
    Ran ran =
        Ran.penstock(
            "logs",
            "generate",
            directory.toString(),
            "--force",
            "--requests=3000",
            "--odd-lines=0.02",
            "--format=access-log,cloudtrail");
    assertThat(ran.err()).isEmpty();
    statements = Trino.statements(FILE);
    trino = Trino.start();
    trino.loadAccessLog(statements.get(0), directory.resolve("access-log"));
    trino.loadTrail(statements.get(4), directory.resolve("cloudtrail"));
  }

  @AfterAll
  static void stop() {
    trino.close();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> analyzed(String logs, String table) throws IOException {
    Ran ran =
        Ran.penstock(
            "analyze",
            "--no-cache",
            "--format=json",
            "--tables=" + table,
            directory.resolve(logs).toString());
    assertThat(ran.err()).isEmpty();
    List<?> tables = (List<?>) Json.parseObject("{\"tables\":" + ran.out() + "}").get("tables");
    return (List<Map<String, Object>>) ((Map<String, Object>) tables.get(0)).get("rows");
  }

  /** Returns the rows as texts: these columns of an analysis. */
  private static List<String> columns(List<Map<String, Object>> rows, String... names) {
    return rows.stream()
        .map(row -> String.join(" ", List.of(names).stream().map(n -> text(row.get(n))).toList()))
        .toList();
  }

  private static List<String> answers(int question, int... columns) {
    List<String> rows = new ArrayList<>();
    for (List<Object> row : trino.ask(statements.get(question))) {
      List<String> cells = new ArrayList<>();
      for (int column : columns) {
        cells.add(text(row.get(column)));
      }
      rows.add(String.join(" ", cells));
    }
    return rows;
  }

  /** Returns a time as both engines write it. */
  private static String text(Object value) {
    return String.valueOf(value)
        .replaceFirst("^(\\d{4}-\\d\\d-\\d\\d)[ T](\\d\\d:\\d\\d:\\d\\d)(\\.000|Z)$", "$1 $2");
  }

  private static Map<String, Integer> counts(List<String> rows) {
    Map<String, Integer> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    return counts;
  }

  @Test
  void everyLineOfTheAccessLogIsRead() {
    assertThat(trino.ask("SELECT count(*) FROM access_log WHERE request_id IS NULL"))
        .containsExactly(List.of(0L));
  }

  /** The names of the operations differ, their requests and throttles do not. */
  @Test
  void eachOperationHasAsManyRequestsAndThrottles() throws IOException {
    List<Map<String, Object>> expected = analyzed("access-log", "operations");
    assertThat(expected).hasSizeGreaterThan(5);
    assertThat(counts(answers(OPERATIONS, 1, 2)))
        .isEqualTo(counts(columns(expected, "requests", "throttled")));
  }

  @Test
  void theBusiestSecondsAreTheSame() throws IOException {
    assertThat(answers(SECONDS, 0, 1, 2, 3))
        .hasSize(10)
        .isEqualTo(
            columns(
                analyzed("access-log", "top-seconds"),
                "second",
                "requests",
                "writes",
                "throttled"));
  }

  @Test
  void allThrottlesAreInTheOnePrefix() throws IOException {
    int throttled =
        analyzed("access-log", "operations").stream()
            .mapToInt(row -> (Integer) row.get("throttled"))
            .sum();
    assertThat(answers(PREFIXES, 0, 1)).containsExactly("out/sales/ " + throttled);
  }

  @Test
  void theTrailHasAsManyRequestsAndThrottles() throws IOException {
    assertThat(answers(TRAIL_OPERATIONS, 0, 1, 2))
        .containsExactlyInAnyOrderElementsOf(
            columns(analyzed("cloudtrail", "operations"), "api", "requests", "throttled"));
  }

  @Test
  void theBusiestSecondsOfTheTrailAreTheSame() throws IOException {
    assertThat(answers(TRAIL_SECONDS, 0, 1, 3))
        .hasSize(10)
        .isEqualTo(
            columns(analyzed("cloudtrail", "top-seconds"), "second", "requests", "throttled"));
  }
}
