/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.spark.ui.Report.Point;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Draws points over time as SVG, in steps: a point is the mean of its span. */
record Plot(List<Point> points, long startMillis) {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 140;
  private static final int LEFT = 48;
  private static final int BOTTOM = 18;
  private static final int TOP = 8;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;

  /** Returns the highest value a second. */
  double peak(ToLongFunction<Point> value) {
    return points.stream().mapToDouble(point -> perSecond(point, value)).max().orElse(0);
  }

  /** Returns when the highest value was, such as {@code 95 s} after the start. */
  String peakAfter(ToLongFunction<Point> value) {
    long atMillis =
        points.stream()
            .max(Comparator.comparingDouble(point -> perSecond(point, value)))
            .map(Point::atMillis)
            .orElse(startMillis);
    return duration((atMillis - startMillis) / 1_000);
  }

  private static double perSecond(Point point, ToLongFunction<Point> value) {
    return value.applyAsLong(point) * MILLIS_PER_SECOND / Math.max(1, point.millis());
  }

  /**
   * Returns the drawing.
   *
   * @param bad drawn over the value in the colour of warnings
   * @param scale the unit of the axis
   */
  String svg(String title, ToLongFunction<Point> value, ToLongFunction<Point> bad, double scale) {
    double top = Math.max(peak(value), 1e-9);
    long end = points.get(points.size() - 1).atMillis();
    StringBuilder svg = new StringBuilder(4_096);
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
    svg.append("\" role=\"img\" aria-label=\"").append(title).append("\">");
    for (double share : new double[] {0, 0.5, 1}) {
      double y = y(top * share, top);
      svg.append(
          text("<path d=\"M%d %.1fH%d\" stroke=\"var(--p-soft)\" fill=\"none\"/>", LEFT, y, WIDTH));
      svg.append(label(LEFT - 6, y + 4, "end", axis(top * share / scale)));
    }
    svg.append(steps(value, top, end, "var(--p-line)"));
    if (peak(bad) > 0) {
      svg.append(steps(bad, top, end, "var(--p-warn)"));
    }
    svg.append(label(LEFT, HEIGHT - 4, "start", "0"));
    svg.append(label(WIDTH, HEIGHT - 4, "end", duration((end - startMillis) / 1_000)));
    return svg.append("</svg>").toString();
  }

  private String steps(ToLongFunction<Point> value, double top, long end, String colour) {
    StringBuilder path = new StringBuilder();
    double last = Double.NaN;
    for (Point point : points) {
      double y = y(perSecond(point, value), top);
      double from = x(point.atMillis() - point.millis(), end);
      double to = x(point.atMillis(), end);
      path.append(text(Double.isNaN(last) ? "M%.1f %.1fH%.1f" : "H%.1fV%.1fH%.1f", from, y, to));
      last = y;
    }
    return "<path d=\""
        + path
        + "\" stroke=\""
        + colour
        + "\" stroke-width=\"1.5\" fill=\"none\"/>";
  }

  private double x(long atMillis, long end) {
    double share = (double) (atMillis - startMillis) / Math.max(1, end - startMillis);
    return LEFT + (WIDTH - LEFT) * Math.max(0, share);
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
  }

  private static String label(double x, double y, String anchor, String label) {
    return text(
        "<text x=\"%.0f\" y=\"%.0f\" font-size=\"11\" fill=\"currentColor\""
            + " text-anchor=\"%s\">%s</text>",
        x, y, anchor, label);
  }

  private static String axis(double value) {
    return text(value > 0 && value < 10 ? "%.1f" : "%,.0f", value);
  }

  private static String duration(long seconds) {
    if (seconds < 2 * MINUTE) {
      return seconds + " s";
    }
    return seconds < 2 * HOUR ? seconds / MINUTE + " min" : text("%.1f h", seconds / (double) HOUR);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
