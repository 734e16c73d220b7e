/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.List;

/**
 * Formats a table as GitHub Markdown. The content of cells is escaped, so that it is plain text and
 * not markup.
 */
public final class TableMarkdown {
  private static final String MARKUP = "\\|[]*_`~#";

  private TableMarkdown() {}

  public static void write(Table table, Appendable out) throws IOException {
    out.append("### ").append(text(table.id())).append(' ').append(text(table.title()));
    if (table.label().hasName()) {
      out.append(" `").append(table.label().name()).append('`');
    }
    out.append("\n\n|");
    for (Column column : table.columns()) {
      out.append(' ').append(text(Values.heading(column))).append(" |");
    }
    out.append("\n|");
    for (Column column : table.columns()) {
      out.append(Values.isNumber(column.kind()) ? "---:|" : "---|");
    }
    out.append('\n');
    for (List<Object> row : table.rows()) {
      out.append('|');
      for (int i = 0; i < row.size(); i++) {
        Kind kind = table.columns().get(i).kind();
        String value = Values.of(kind, row.get(i));
        out.append(' ').append(kind == Kind.TEXT ? text(value) : value).append(" |");
      }
      out.append('\n');
    }
  }

  private static String text(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : Values.visible(text).toCharArray()) {
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        default -> {
          if (MARKUP.indexOf(c) >= 0) {
            escaped.append('\\');
          }
          escaped.append(c);
        }
      }
    }
    return escaped.toString();
  }
}
