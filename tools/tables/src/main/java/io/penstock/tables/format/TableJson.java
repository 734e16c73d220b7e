/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Formats a table as JSON: id, name, title, columns with their kinds, and rows as objects. Numbers
 * are JSON numbers, times are ISO 8601 texts, and unknown values are null. The names are a stable
 * format: names may be added, but existing names never change.
 */
public final class TableJson {
  private TableJson() {}

  /** Returns several tables as one JSON array. */
  public static String array(List<Table> tables) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartArray();
      for (Table table : tables) {
        write(table, json);
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory can be written", e);
    }
    return text.toString();
  }

  public static void write(Table table, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", table.id());
    json.writeStringField("name", table.label().name());
    json.writeStringField("title", table.title());
    json.writeArrayFieldStart("columns");
    for (Column column : table.columns()) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("kind", column.kind().name().toLowerCase(java.util.Locale.ROOT));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (List<Object> row : table.rows()) {
      json.writeStartObject();
      for (int i = 0; i < row.size(); i++) {
        json.writeFieldName(table.columns().get(i).name());
        value(row.get(i), json);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes one value of a table's row. */
  public static void value(Object value, JsonGenerator json) throws IOException {
    if (Values.isUnknown(value)) {
      json.writeNull();
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else {
      json.writeString(value.toString());
    }
  }
}
