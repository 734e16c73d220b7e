/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What came out of a log: the rows as maps, and what was counted. */
final class Logs {
  final ParseStatistics statistics = new ParseStatistics();
  final ClientFacts facts = new ClientFacts();
  final List<Map<RequestColumn, Object>> rows = new ArrayList<>();

  static Logs of(String text) {
    return at("", text);
  }

  static Logs at(String path, String text) {
    return of(path, text.getBytes(StandardCharsets.UTF_8));
  }

  static Logs of(String path, byte[] text) {
    Logs logs = new Logs();
    ClientLogFormat format = new ClientLogFormat(logs.facts).at(path);
    try (RequestReader reader = format.open(new ByteArrayInputStream(text), logs.statistics)) {
      RequestRow row = new RequestRow();
      while (reader.next(row)) {
        logs.rows.add(values(row));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return logs;
  }

  static byte[] resource(String name) throws IOException {
    try (InputStream in = Logs.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  private static Map<RequestColumn, Object> values(RequestRow row) {
    Map<RequestColumn, Object> values = new EnumMap<>(RequestColumn.class);
    for (RequestColumn column : RequestColumn.all()) {
      if (row.has(column)) {
        String text = row.text(column);
        values.put(column, text == null ? (Object) row.number(column) : text);
      }
    }
    return values;
  }

  List<Object> all(RequestColumn column) {
    return rows.stream().map(row -> row.get(column)).toList();
  }

  Object only(RequestColumn column) {
    if (rows.size() != 1) {
      throw new AssertionError("not one row: " + rows);
    }
    return rows.get(0).get(column);
  }
}
