/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.List;

/**
 * Formats a table as CSV by RFC 4180, with one record on each line. The first record has the column
 * names. Numbers and times are unformatted, and unknown values are empty. A text that a spreadsheet
 * would treat as a formula is preceded by an apostrophe.
 */
public final class TableCsv {
  private static final String LINE_END = "\r\n";

  private TableCsv() {}

  /**
   * Writes the names of the columns and the rows.
   *
   * @param out neither flushed nor closed
   */
  public static void write(Table table, Appendable out) throws IOException {
    String separator = "";
    for (Column column : table.columns()) {
      out.append(separator).append(text(column.name()));
      separator = ",";
    }
    out.append(LINE_END);
    for (List<Object> row : table.rows()) {
      separator = "";
      for (Object value : row) {
        out.append(separator).append(cell(value));
        separator = ",";
      }
      out.append(LINE_END);
    }
  }

  private static String cell(Object value) {
    if (Values.isUnknown(value)) {
      return "";
    }
    return value instanceof String text ? text(text) : value.toString();
  }

  private static String text(String text) {
    String shown = Values.visible(text);
    if (!shown.isEmpty() && "=+-@".indexOf(shown.charAt(0)) >= 0) {
      shown = "'" + shown;
    }
    boolean isPlain = shown.chars().noneMatch(c -> c == ',' || c == '"');
    return isPlain ? shown : '"' + shown.replace("\"", "\"\"") + '"';
  }
}
