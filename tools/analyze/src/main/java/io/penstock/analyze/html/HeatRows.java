/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Turns a table of things and times into the rows of a heat map. */
final class HeatRows {
  private static final int MOST_STEPS = 130;

  private final Table table;
  private final String thing;
  private final List<String> measures;
  private List<String> order = List.of();
  private LongFunction<String> name;

  HeatRows(Table table, String thing, List<String> measures) {
    this.table = table;
    this.thing = thing;
    this.measures = measures;
  }

  /**
   * Makes a row for each whole number from the largest, at the top, to the smallest, without gaps.
   */
  HeatRows byNumber(LongFunction<String> newName) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int row = 0; row < table.rows().size(); row++) {
      least = Math.min(least, table.count(row, thing));
      greatest = Math.max(greatest, table.count(row, thing));
    }
    order = new ArrayList<>();
    for (long number = greatest; number >= least; number--) {
      order.add(Long.toString(number));
    }
    name = newName;
    return this;
  }

  /** Orders the rows by the total of the last measure, largest first. */
  HeatRows byTotal() {
    Map<String, double[]> totals = new HashMap<>();
    for (int row = 0; row < table.rows().size(); row++) {
      double[] total =
          totals.computeIfAbsent(table.text(row, thing), key -> new double[measures.size()]);
      for (int i = 0; i < total.length; i++) {
        total[i] += table.number(row, measures.get(i));
      }
    }
    Comparator<Map.Entry<String, double[]>> most =
        Comparator.comparingDouble(entry -> -entry.getValue()[measures.size() - 1]);
    order =
        totals.entrySet().stream()
            .sorted(
                most.thenComparingDouble(entry -> -entry.getValue()[0])
                    .thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey)
            .toList();
    return this;
  }

  Plot plot(Label label, String note, String thingName) {
    if (table.isEmpty()) {
      return Plot.empty(label, note, table);
    }
    Grid grid = Grid.over(table, Grid.span(table), MOST_STEPS);
    List<HeatChart.Layer> layers = new ArrayList<>();
    for (String measure : measures) {
      HeatChart.Layer layer = new HeatChart.Layer(measure, measure, values(grid, measure));
      if (layers.isEmpty() || layer.max() > 0) {
        layers.add(layer);
      }
    }
    List<String> names =
        order.stream()
            .map(key -> name == null ? shown(key) : name.apply(Long.parseLong(key)))
            .toList();
    HeatChart chart =
        new HeatChart(grid.startMillis(), grid.stepMillis(), grid.steps(), names, layers);
    return new Plot(label, note, chart, totals(label.id(), thingName, names, layers));
  }

  private static String shown(String key) {
    return key.isEmpty() ? "(root)" : key;
  }

  private List<List<Double>> values(Grid grid, String measure) {
    Map<String, List<Double>> rows = new HashMap<>();
    order.forEach(key -> rows.put(key, grid.zeros()));
    for (int row = 0; row < table.rows().size(); row++) {
      List<Double> values = rows.get(table.text(row, thing));
      int index = grid.index(table, row);
      values.set(index, values.get(index) + table.number(row, measure));
    }
    return order.stream().map(rows::get).toList();
  }

  private static Table totals(
      String id, String thingName, List<String> names, List<HeatChart.Layer> layers) {
    List<Column> columns = new ArrayList<>(List.of(new Column(thingName, Kind.TEXT)));
    layers.forEach(layer -> columns.add(new Column(layer.name(), Kind.COUNT)));
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      List<Object> row = new ArrayList<>(List.of(names.get(i)));
      for (HeatChart.Layer layer : layers) {
        row.add(layer.values().get(i).stream().mapToLong(Double::longValue).sum());
      }
      rows.add(row);
    }
    return new Table(id, "In all", columns, rows);
  }
}
