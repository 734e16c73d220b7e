/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Writes a table as HTML, in a box that scrolls if the page is too narrow. */
final class HtmlTable {
  private static final int MOST_COLUMNS_OF_ONE_ROW = 10;
  private static final int MOST_ROWS = 50;

  /** The width of two lines of a cell. */
  private static final int MOST_OF_A_WORD = 88;

  private HtmlTable() {}

  /**
   * @param tones the severity of each row; empty if rows have none
   */
  static void write(Table table, List<Tone> tones, Html html) throws IOException {
    String label = (table.id() + " " + table.title()).strip();
    html.open("div", "class", "box", "tabindex", "0", "role", "region", "aria-label", label);
    boolean isUpright =
        table.rows().size() == 1 && table.columns().size() > MOST_COLUMNS_OF_ONE_ROW;
    html.open("table", "class", isUpright ? "upright" : "sortable");
    html.element("caption", label, "class", "unseen");
    if (isUpright) {
      upright(table, html);
    } else {
      rows(table, tones, html);
    }
    html.raw("</table></div>\n");
  }

  private static void upright(Table table, Html html) throws IOException {
    html.raw("<tbody>");
    for (int i = 0; i < table.columns().size(); i++) {
      html.raw("<tr>").element("th", Values.heading(table.columns().get(i)), "scope", "row");
      cell(table.columns().get(i).kind(), table.rows().get(0).get(i), html);
      html.raw("</tr>\n");
    }
    html.raw("</tbody>");
  }

  private static void rows(Table table, List<Tone> tones, Html html) throws IOException {
    html.raw("<thead><tr>");
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      String cssClass = Values.isNumber(column.kind()) ? "n" : width(table, i);
      html.element("th", Values.heading(column), "scope", "col", "class", cssClass);
    }
    html.raw("</tr></thead>\n<tbody>");
    int all = table.rows().size();
    for (int r = 0; r < Math.min(MOST_ROWS, all); r++) {
      List<Object> row = table.rows().get(r);
      if (tones.isEmpty()) {
        html.raw("<tr>");
      } else {
        html.open("tr", "class", tones.get(r).cssClass());
      }
      for (int i = 0; i < row.size(); i++) {
        cell(table.columns().get(i).kind(), row.get(i), html);
      }
      html.raw("</tr>\n");
    }
    html.raw("</tbody>");
    if (all > MOST_ROWS) {
      String text =
          String.format(
              Locale.ROOT,
              "and %,d more: penstock analyze LOGS --tables %s --format csv",
              all - MOST_ROWS,
              table.label().name());
      html.raw("<tfoot><tr>");
      html.element("td", text, "colspan", Integer.toString(table.columns().size()));
      html.raw("</tr></tfoot>");
    }
  }

  /**
   * Returns the CSS class for the minimum width of a column. Short texts fit completely, and long
   * texts fit in large part.
   */
  private static String width(Table table, int column) {
    int longest = 0;
    for (List<Object> row : table.rows()) {
      longest = Math.max(longest, row.get(column) instanceof String text ? text.length() : 0);
    }
    return longest > 24
        ? "w32"
        : longest > 16 ? "w24" : longest > 8 ? "w16" : longest > 4 ? "w8" : "w4";
  }

  private static void cell(Kind kind, Object value, Html html) throws IOException {
    String text = Values.of(kind, value);
    String sortedBy = sortedBy(value);
    if (Values.isNumber(kind)) {
      html.element("td", text, sorted(sortedBy, "n"));
    } else if (kind != Kind.TEXT) {
      html.element("td", text, sorted(sortedBy, "f"));
    } else if (text.length() > MOST_OF_A_WORD && text.indexOf(' ') < 0) {
      // A word, such as a key, that alone would fill many lines.
      html.element("td", Values.cut(text, MOST_OF_A_WORD), "title", text);
    } else {
      html.element("td", text);
    }
  }

  private static String[] sorted(String sortedBy, String cssClass) {
    return new String[] {"class", cssClass, "data-v", sortedBy};
  }

  private static String sortedBy(Object value) {
    if (value instanceof Instant time) {
      return Long.toString(time.toEpochMilli());
    }
    return value instanceof Number || value instanceof Boolean ? value.toString() : "";
  }
}
