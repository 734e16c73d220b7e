/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import java.io.IOException;
import java.util.List;

/** Writes a table or plot with its heading, and with its query so that readers can check it. */
final class ItemHtml {
  private final Html html;

  ItemHtml(Html html) {
    this.html = html;
  }

  void write(Item item) throws IOException {
    html.open("div", "class", "item", "id", item.id());
    Label label = item.label();
    html.open("h3", anchor(label))
        .text(label.title())
        .raw(" ")
        .element("small", label.idAndName())
        .raw("</h3>\n");
    if (item instanceof Plot plot) {
      plot(plot);
    } else if (item instanceof TableItem table) {
      table(table);
    }
    html.raw("</div>\n");
  }

  private void table(TableItem item) throws IOException {
    note(item.note());
    if (item.table().isEmpty()) {
      nothing();
    } else {
      HtmlTable.write(item.table(), item.tones(), html);
    }
    query(item.sql());
  }

  private void plot(Plot plot) throws IOException {
    note(plot.note());
    if (plot.chart().isEmpty()) {
      nothing();
      query(plot.sql());
      return;
    }
    String label = plot.title() + ". " + plot.note() + " The numbers are in the table below it.";
    html.open("div", "class", "plot", "data-plot", plot.id());
    html.raw("<div class=\"chart\"></div>");
    Sketch sketch = new Sketch(label);
    plot.chart().orElseThrow().sketch(sketch);
    html.raw(sketch.svg()).raw("</div>\n");
    if (!plot.table().isEmpty()) {
      boolean isShown = plot.table().label().name().equals(plot.label().name());
      html.open("details", isShown ? new String[0] : anchor(plot.table().label()));
      html.raw("<summary>Numbers</summary>\n");
      HtmlTable.write(plot.table(), List.of(), html);
      html.raw("</details>\n");
    }
    query(plot.sql());
  }

  /** Returns the id attribute for links by name, if the item has a name different from its id. */
  private static String[] anchor(Label label) {
    boolean isNamed = !label.name().equals(label.id());
    return isNamed ? new String[] {"id", label.name()} : new String[0];
  }

  private void note(String note) throws IOException {
    if (!note.isEmpty()) {
      html.element("p", note, "class", "note");
    }
  }

  private void nothing() throws IOException {
    html.raw("<p class=\"nothing\">Nothing of this in these logs.</p>\n");
  }

  private void query(String sql) throws IOException {
    if (!sql.isEmpty()) {
      html.raw("<details class=\"sql\"><summary>SQL</summary><pre><code>").lines(sql.strip());
      html.raw("</code></pre></details>\n");
    }
  }
}
