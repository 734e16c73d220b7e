/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.cli.print.Terminal;
import io.penstock.tables.Table;
import io.penstock.tables.format.TableCsv;
import io.penstock.tables.format.TableJson;
import io.penstock.tables.format.TableMarkdown;
import io.penstock.tables.format.TableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that selects the format of tables. */
public final class TableOptions {
  private static final int WIDTH = 80;

  /** The most rows on a terminal; a pipe and the other formats have all. */
  private static final int ROWS = 50;

  private enum Format {
    TABLE,
    CSV,
    JSON,
    MD
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "Format of tables: table, csv, json or md. Default: ${DEFAULT-VALUE}.")
  private Format format;

  /** Returns true if the tables are formatted for people at a terminal. */
  public boolean isText() {
    return format == Format.TABLE;
  }

  public void print(List<Table> tables, PrintWriter out) throws IOException {
    if (format == Format.CSV && tables.size() != 1) {
      throw new IllegalArgumentException(
          "CSV has room for one table; name it, as in --tables summary, or take --format json");
    }
    if (format == Format.JSON) {
      out.println(TableJson.array(tables));
    } else {
      boolean isFirst = true;
      for (Table table : tables) {
        if (!isFirst) {
          out.println();
        }
        isFirst = false;
        print(table, out);
      }
    }
    out.flush();
  }

  private static void text(Table table, PrintWriter out) throws IOException {
    if (!Terminal.isPresent()) {
      TableText.writeWhole(table, WIDTH, out);
      return;
    }
    int all = table.rows().size();
    List<List<Object>> first = table.rows().subList(0, Math.min(ROWS, all));
    TableText.write(new Table(table.label(), table.columns(), first), Terminal.width(WIDTH), out);
    if (all > ROWS) {
      out.println("and %,d more: --format csv prints all".formatted(all - ROWS));
    }
  }

  private void print(Table table, PrintWriter out) throws IOException {
    switch (format) {
      case TABLE -> text(table, out);
      case CSV -> TableCsv.write(table, out);
      case MD -> TableMarkdown.write(table, out);
      case JSON -> throw new IllegalStateException("JSON is printed as one array");
    }
  }
}
