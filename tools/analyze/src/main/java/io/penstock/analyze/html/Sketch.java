/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * A chart as inline SVG, for print and for browsers without JavaScript. Colours are classes of the
 * style sheet, so the chart follows dark mode. The SVG has no style of its own, because the page's
 * policy would refuse it.
 */
final class Sketch {
  static final double WIDTH = 720;
  static final double RIGHT = WIDTH - 14;
  private static final double CHARACTER = 6.2;

  private final String label;
  private final StringBuilder body = new StringBuilder();
  private double height = 260;

  Sketch(String label) {
    this.label = label;
  }

  void height(double newHeight) {
    height = newHeight;
  }

  void text(double x, double y, String anchor, String text) {
    body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
    body.append("\" text-anchor=\"").append(anchor).append("\">");
    try {
      new Html(body).text(text);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail", e);
    }
    body.append("</text>");
  }

  void line(double x1, double y1, double x2, double y2, String role) {
    path("M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2), role);
  }

  /** Draws a line through points. The style of its CSS class decides if the area is filled. */
  void path(String d, String cssClass) {
    body.append("<path class=\"").append(cssClass).append("\" d=\"").append(d).append("\"/>");
  }

  /** Draws cells of a heat map that all have the same colour depth, from 0 to 1. */
  void cells(String d, String role, double depth) {
    body.append("<path class=\"fill-").append(role).append("\" fill-opacity=\"");
    body.append(String.format(Locale.ROOT, "%.2f", depth))
        .append("\" d=\"")
        .append(d)
        .append("\"/>");
  }

  void rect(double x, double y, double width, double rectHeight, String cssClass) {
    body.append("<rect x=\"").append(number(x)).append("\" y=\"").append(number(y));
    body.append("\" width=\"").append(number(width)).append("\" height=\"");
    body.append(number(rectHeight)).append("\" class=\"").append(cssClass).append("\"/>");
  }

  void xAxis(Axis x, List<Tick> ticks, double top, double bottom) {
    double free = -1;
    for (Tick tick : ticks) {
      double at = x.at(tick.at());
      line(at, top, at, bottom, "grid");
      double half = tick.label().length() * CHARACTER / 2;
      if (at - half > free && at + half < WIDTH) {
        text(at, bottom + 15, "middle", tick.label());
        free = at + half;
      }
    }
    line(x.from(), bottom, x.to(), bottom, "axis");
  }

  void yAxis(Axis y, List<Tick> ticks, double left, double right) {
    for (Tick tick : ticks) {
      double at = y.at(tick.at());
      line(left, at, right, at, "grid");
      text(left - 6, at + 4, "end", tick.label());
    }
  }

  /** Draws the names of the series with their colours, in a row at the top. */
  void legend(List<ChartSeries> series, double left) {
    double x = left;
    double y = 12;
    for (ChartSeries one : series) {
      String name = Values.cut(Values.visible(one.name()), 28);
      double width = 24 + name.length() * CHARACTER;
      if (x + width > RIGHT && x > left) {
        return;
      }
      rect(x, y - 8, 10, 8, "fill-" + one.role());
      text(x + 14, y, "start", name);
      x += width;
    }
  }

  /** Draws a vertical line. Its name is at the given distance below the top. */
  void mark(Axis x, Mark mark, double top, double bottom, double below) {
    double at = x.at(mark.at());
    line(at, top, at, bottom, "mark");
    text(at + 3, top + 10 + below, "start", mark.name());
  }

  String svg() {
    StringBuilder svg = new StringBuilder("<svg class=\"sketch\" role=\"img\" viewBox=\"0 0 720 ");
    svg.append(number(height)).append("\" aria-label=\"");
    try {
      new Html(svg).text(label);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail", e);
    }
    return svg.append("\">").append(body).append("</svg>\n").toString();
  }

  static String number(double value) {
    if (value == Math.rint(value)) {
      return Long.toString((long) value);
    }
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
