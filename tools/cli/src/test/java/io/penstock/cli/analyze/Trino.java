/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import io.trino.Session;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.LocalQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Trino, the engine behind Athena, in this process. Its tables are in memory. What Hive's classes
 * do in Athena, reading lines by a pattern and JSON by names, is done here.
 */
final class Trino implements AutoCloseable {
  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*$");
  private static final Pattern COLUMNS =
      Pattern.compile("s3_logs\\.(\\w+) \\((.*?)\\)\nPARTITIONED BY", Pattern.DOTALL);
  private static final Pattern REGEX = Pattern.compile("'input.regex' =\\s+'(.*)'\\)");
  private static final int LINES_AT_ONCE = 1_000;

  /** Of all generated logs. */
  private static final String DAY = "2026/06/04";

  private final LocalQueryRunner runner;

  private Trino(LocalQueryRunner runner) {
    this.runner = runner;
  }

  static Trino start() {
    Logger.getLogger("").setLevel(Level.WARNING);
    Session session =
        TestingSession.testSessionBuilder()
            .setCatalog("memory")
            .setSchema("default")
            .setTimeZoneKey(TimeZoneKey.UTC_KEY)
            .build();
    LocalQueryRunner runner = LocalQueryRunner.create(session);
    runner.installPlugin(new MemoryPlugin());
    runner.createCatalog("memory", "memory", Map.of());
    return new Trino(runner);
  }

  /** Returns the statements of a file of SQL, as they stand there. */
  static List<String> statements(Path file) throws IOException {
    String sql = COMMENT.matcher(Files.readString(file)).replaceAll("");
    return Stream.of(sql.split(";\n", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  List<List<Object>> ask(String sql) {
    return runner.execute(sql.replace("s3_logs.", "")).getMaterializedRows().stream()
        .map(MaterializedRow::getFields)
        .toList();
  }

  /** Hive takes a line apart by a pattern; this does the same in SQL. */
  void loadAccessLog(String definition, Path directory) throws IOException {
    Matcher table = found(COLUMNS, definition);
    // Hive reads a text between quotes with these escapes.
    String regex = found(REGEX, definition).group(1).replace("\\\"", "\"").replace("\\\\", "\\");
    List<String> columns = names(trinoTypes(table.group(2)));
    String fields =
        IntStream.range(0, columns.size())
            .mapToObj(
                i ->
                    "regexp_extract(line, '^%s$', %d) AS %s"
                        .formatted(regex, i + 1, columns.get(i)))
            .collect(Collectors.joining(", "));
    loadLines("access_lines", directory);
    runner.execute(
        "CREATE TABLE %s AS SELECT %s, '%s' AS day FROM access_lines"
            .formatted(table.group(1), fields, DAY));
  }

  /** Hive finds the fields of JSON by their names; this does the same in SQL. */
  void loadTrail(String definition, Path directory) throws IOException {
    Matcher table = found(COLUMNS, definition);
    String types = trinoTypes(table.group(2));
    // An object stays as its text.
    String json =
        types
            .replace("requestparameters varchar", "requestparameters json")
            .replace("additionaleventdata varchar", "additionaleventdata json");
    loadLines("trail_lines", directory);
    runner.execute(
        "CREATE TABLE %s AS SELECT %s, '%s' AS day FROM trail_lines CROSS JOIN UNNEST(CAST(json_extract(json_parse(line), '$.Records') AS ARRAY(ROW(%s)))) AS records(%s)"
            .formatted(
                table.group(1),
                String.join(", ", names(types)),
                DAY,
                json,
                String.join(", ", names(types))));
  }

  private void loadLines(String table, Path directory) throws IOException {
    runner.execute("CREATE TABLE " + table + " (line) AS SELECT CAST('' AS varchar) WHERE false");
    List<String> lines = lines(directory);
    for (int i = 0; i < lines.size(); i += LINES_AT_ONCE) {
      runner.execute(
          "INSERT INTO "
              + table
              + " VALUES "
              + lines.subList(i, Math.min(lines.size(), i + LINES_AT_ONCE)).stream()
                  .map(line -> "('" + line.replace("'", "''") + "')")
                  .collect(Collectors.joining(", ")));
    }
  }

  /** Returns Hive's types in Trino's words. */
  private static String trinoTypes(String hive) {
    return hive.replaceAll("\\s+", " ")
        .replace("STRUCT<", "ROW(")
        .replace(">", ")")
        .replace(":", " ")
        .replace("STRING", "varchar")
        .strip();
  }

  /** Returns the names of columns; commas in parentheses belong to the type of one. */
  private static List<String> names(String types) {
    List<String> names = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= types.length(); i++) {
      char c = i < types.length() ? types.charAt(i) : ',';
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        names.add(types.substring(from, i).strip().split(" ", 2)[0]);
        from = i + 1;
      }
    }
    return names;
  }

  private static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        lines.addAll(
            file.toString().endsWith(".gz")
                ? new String(
                        new GZIPInputStream(Files.newInputStream(file)).readAllBytes(),
                        StandardCharsets.UTF_8)
                    .lines()
                    .toList()
                : Files.readAllLines(file));
      }
    }
    return lines;
  }

  private static Matcher found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException("there is no " + pattern + " in " + text);
    }
    return matcher;
  }

  @Override
  public void close() {
    runner.close();
  }
}
