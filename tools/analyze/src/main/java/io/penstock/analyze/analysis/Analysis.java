/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query whose result is shown as a table. The query is in its own file beside this class, so that
 * users can read it and run it elsewhere:
 *
 * <pre>
 * -- T2 operations: Requests by API
 * -- columns: api text, requests count, share percent
 * select …
 * </pre>
 *
 * The first line has the id, the name and the title. If the name is missing, the id is the name.
 * All further lines that begin with two dashes are part of the query.
 */
public record Analysis(Label label, List<Column> columns, String sql) {
  private static final String COLUMNS = "-- columns: ";
  private static final Pattern LABEL =
      Pattern.compile("-- (?<id>\\w+) (?:(?<name>[a-z][a-z0-9-]*): )?(?<title>.+)");

  public Analysis {
    columns = List.copyOf(columns);
  }

  public String name() {
    return label.name();
  }

  public String title() {
    return label.title();
  }

  /**
   * Reads a query from a resource in the package of a class.
   *
   * @param beside a class in the same package as the file
   * @param name the file name, such as operations.sql
   * @throws IllegalArgumentException if there is no such file, or if its first two lines do not
   *     have the form above
   */
  public static Analysis named(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no query " + name);
      }
      return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalArgumentException("the query " + name + " cannot be read", e);
    }
  }

  static Analysis parse(String name, String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() < 3 || !lines.get(0).startsWith("-- ") || !lines.get(1).startsWith(COLUMNS)) {
      throw new IllegalArgumentException(name + " does not begin with its name and its columns");
    }
    int header = 2;
    StringBuilder columns = new StringBuilder(lines.get(1).substring(COLUMNS.length()));
    while (columns.toString().endsWith(",")) {
      columns.append(lines.get(header++).substring("--".length()));
    }
    String sql = String.join("\n", lines.subList(header, lines.size()));
    return new Analysis(label(lines.get(0)), Column.list(columns.toString()), sql);
  }

  private static Label label(String line) {
    Matcher words = LABEL.matcher(line);
    if (!words.matches()) {
      throw new IllegalArgumentException(line + " is not an id, a name and a title");
    }
    String id = words.group("id");
    String title = words.group("title");
    String name = words.group("name");
    return name == null ? Label.unnamed(id, title) : new Label(id, name, title);
  }

  /** Runs the query and returns its rows as a table. */
  public Table run(QueryEngine engine) throws IOException {
    return new Table(label, columns, engine.rows(sql, columns));
  }
}
