/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

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
      description = "Of tables: table, csv, json or md. Default: ${DEFAULT-VALUE}.")
  private Format format;

  /** Returns true if the tables are formatted for people at a terminal. */
  public boolean isText() {
    return format == Format.TABLE;
  }

  public void print(List<Table> tables, PrintWriter out) throws IOException {
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

  private void print(Table table, PrintWriter out) throws IOException {
    switch (format) {
      case TABLE -> TableText.write(table, WIDTH, out);
      case CSV -> TableCsv.write(table, out);
      case MD -> TableMarkdown.write(table, out);
      case JSON -> throw new IllegalStateException("JSON is printed as one array");
    }
  }
}
