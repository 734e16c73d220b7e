/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a table for a terminal of a given width. Numbers are right-aligned, and long texts are
 * shortened in the middle. All columns are shown: those that do not fit follow in another block
 * below, which repeats the first column. A single row that does not fit is written as one line for
 * each column.
 */
public final class TableText {
  private static final String GAP = AlignedRows.GAP;
  private static final int NARROWEST_TEXT = 12;

  private final Table table;
  private final int width;
  private final boolean isWhole;
  private final List<PrintedColumn> columns = new ArrayList<>();

  private TableText(Table table, int width, boolean isWhole) {
    this.table = table;
    this.width = width;
    this.isWhole = isWhole;
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      List<String> cells = new ArrayList<>();
      for (List<Object> row : table.rows()) {
        cells.add(Values.of(column.kind(), row.get(i)));
      }
      columns.add(new PrintedColumn(column, cells));
    }
  }

  /**
   * Writes the title and the rows. Each line ends with a line break.
   *
   * @param width in terminal columns
   * @param out neither flushed nor closed
   * @throws ClassCastException when a value does not fit its kind, see {@link Table}
   */
  public static void write(Table table, int width, Appendable out) throws IOException {
    new TableText(table, width, false).write(out);
  }

  /**
   * Writes the title and the rows like {@link #write}, but shortens no text: lines may be longer
   * than the width. What reads a pipe needs the whole texts.
   */
  public static void writeWhole(Table table, int width, Appendable out) throws IOException {
    new TableText(table, width, true).write(out);
  }

  private void write(Appendable out) throws IOException {
    String title = Values.visible((table.id() + GAP + table.label().titleAndName()).strip());
    out.append(cut(title, width)).append('\n');
    if (table.isEmpty()) {
      out.append("nothing\n");
    } else if (table.rows().size() == 1 && !fits(columns)) {
      upright(out);
    } else {
      boolean isFirst = true;
      for (List<PrintedColumn> block : blocks()) {
        out.append(isFirst ? "" : "\n");
        block(block, out);
        isFirst = false;
      }
    }
  }

  private void upright(Appendable out) throws IOException {
    int names = columns.stream().mapToInt(column -> Width.of(column.heading())).max().orElse(0);
    for (PrintedColumn column : columns) {
      String value = cut(column.cells().get(0), width - names - GAP.length());
      out.append(Width.pad(column.heading(), names, false)).append(GAP).append(value).append('\n');
    }
  }

  /** Returns the columns in groups. The columns of a group fit side by side. */
  private List<List<PrintedColumn>> blocks() {
    List<List<PrintedColumn>> blocks = new ArrayList<>();
    List<PrintedColumn> block = new ArrayList<>();
    for (PrintedColumn column : columns) {
      block.add(column);
      if (block.size() > 2 && !canFit(block)) {
        block.remove(column);
        blocks.add(block);
        block = new ArrayList<>(List.of(columns.get(0), column));
      }
    }
    blocks.add(block);
    return blocks;
  }

  private boolean fits(List<PrintedColumn> block) {
    return total(block.stream().mapToInt(PrintedColumn::natural).sum(), block) <= width;
  }

  private boolean canFit(List<PrintedColumn> block) {
    return total(block.stream().mapToInt(this::narrowest).sum(), block) <= width;
  }

  private static int total(int cells, List<PrintedColumn> block) {
    return cells + GAP.length() * (block.size() - 1);
  }

  private String cut(String text, int most) {
    return isWhole ? text : Width.cut(text, most);
  }

  private int narrowest(PrintedColumn column) {
    boolean canShrink = !isWhole && column.column().kind() == Kind.TEXT;
    return canShrink ? Math.min(column.natural(), NARROWEST_TEXT) : column.natural();
  }

  /**
   * Returns the widths of the columns. The widest texts are shortened first, so that short ones
   * stay complete.
   */
  private int[] widths(List<PrintedColumn> block) {
    int[] widths = block.stream().mapToInt(PrintedColumn::natural).toArray();
    int over = total(java.util.Arrays.stream(widths).sum(), block) - width;
    for (; over > 0; over--) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        boolean canShrink = widths[i] > narrowest(block.get(i));
        if (canShrink && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  private void block(List<PrintedColumn> block, Appendable out) throws IOException {
    int[] widths = widths(block);
    int lines = block.stream().mapToInt(column -> column.headingLines().size()).max().orElse(1);
    for (int line = 0; line < lines; line++) {
      List<String> cells = new ArrayList<>();
      for (PrintedColumn column : block) {
        // Headings with fewer lines are bottom-aligned, next to the values.
        int at = line - (lines - column.headingLines().size());
        cells.add(at < 0 ? "" : column.headingLines().get(at));
      }
      line(block, widths, cells, out);
    }
    List<String> rules = new ArrayList<>();
    for (int columnWidth : widths) {
      rules.add("-".repeat(columnWidth));
    }
    line(block, widths, rules, out);
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (PrintedColumn column : block) {
        cells.add(column.cells().get(row));
      }
      line(block, widths, cells, out);
    }
  }

  private void line(List<PrintedColumn> block, int[] widths, List<String> cells, Appendable out)
      throws IOException {
    List<String> cut = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      cut.add(cut(cells.get(i), widths[i]));
    }
    String line = AlignedRows.line(cut, widths, i -> Values.isNumber(block.get(i).column().kind()));
    out.append(line).append('\n');
  }
}
