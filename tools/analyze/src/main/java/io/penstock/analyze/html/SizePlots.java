/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Plots the sizes of requests: P9. */
public final class SizePlots {
  private static final Label SIZES = new Label("P9", "request-sizes", "How large requests are");
  private static final List<Mark> MARKS =
      List.of(new Mark("8 MB", 8_000_000), new Mark("10 MiB", 10_485_760));

  private SizePlots() {}

  /** Draws the rows of request-sizes.sql: a histogram of the sizes of reads and writes. */
  public static Plot sizes(Table sizes) {
    Map<String, TreeMap<Long, Double>> apis = new TreeMap<>();
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < sizes.rows().size(); row++) {
      long bucket = sizes.count(row, "bucket");
      apis.computeIfAbsent(sizes.text(row, "api"), api -> new TreeMap<>())
          .merge(bucket, sizes.number(row, "requests"), Double::sum);
      rows.add(
          List.of(
              sizes.text(row, "api"),
              Values.of(Kind.BYTES, edge(bucket))
                  + " to "
                  + Values.of(Kind.BYTES, edge(bucket + 1)),
              sizes.count(row, "requests"),
              sizes.count(row, "bytes")));
    }
    List<CurveChart.Curve> curves = new ArrayList<>();
    apis.forEach((api, buckets) -> curves.add(curve(api, buckets)));
    CurveChart chart =
        new CurveChart("size", Kind.BYTES, 4, "requests", Kind.COUNT, false, true, curves, MARKS);
    Table table =
        new Table(
            SIZES.id(),
            "Sizes",
            Column.list("api text, size text, requests count, bytes bytes"),
            rows);
    String note =
        "Parts and objects written, and ranges read. Small ones cost as many requests as large"
            + " ones.";
    return curves.isEmpty() ? Plot.empty(SIZES, note, table) : new Plot(SIZES, note, chart, table);
  }

  private static Object edge(long bucket) {
    return Math.round(Math.pow(2, bucket / 2.0));
  }

  /**
   * Returns the curve of the buckets. Adds a zero before the first and after the last bucket, and
   * for each missing bucket.
   */
  private static CurveChart.Curve curve(String api, SortedMap<Long, Double> buckets) {
    List<Double> xs = new ArrayList<>();
    List<Double> counts = new ArrayList<>();
    for (long bucket = buckets.firstKey() - 1; bucket <= buckets.lastKey() + 1; bucket++) {
      xs.add(Math.pow(2, bucket / 2.0));
      counts.add(buckets.getOrDefault(bucket, 0.0));
    }
    return new CurveChart.Curve(new ChartSeries(api, ChartSeries.ofApi(api), counts), xs);
  }
}
