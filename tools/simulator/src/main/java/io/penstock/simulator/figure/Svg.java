/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.figure.FigureMark.Path;
import io.penstock.simulator.figure.FigureMark.Role;
import io.penstock.simulator.figure.FigureMark.Text;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a figure as SVG, in light or dark colours as the reader's system prefers. */
public final class Svg {
  private Svg() {}

  /** Returns a figure as a complete SVG file. */
  public static String file(RunFigure figure) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + element(
            figure,
            " width=\"%d\" height=\"%d\"".formatted(figure.width(), figure.height()),
            "<style>" + style() + "</style>\n");
  }

  /** Returns the drawing for a page that already contains the style. */
  static String inline(RunFigure figure) {
    return element(figure, "", "");
  }

  /**
   * Returns the style. Repeats the colours instead of using variables, which many SVG viewers do
   * not support.
   */
  static String style() {
    return "svg path{fill:none;stroke-linejoin:round}svg text{font-family:sans-serif}"
        + colours(false)
        + "@media(prefers-color-scheme:dark){"
        + colours(true)
        + "}";
  }

  private static String colours(boolean dark) {
    StringBuilder css = new StringBuilder("svg .p{fill:" + (dark ? "#0d1117" : "#fff") + "}");
    for (Role role : Role.values()) {
      String colour = "#%06x".formatted(dark ? role.dark() : role.light());
      css.append(
          "svg path.%1$s{stroke:%2$s}svg text.%1$s{fill:%2$s}".formatted(role.css(), colour));
    }
    return css.toString();
  }

  private static String element(RunFigure figure, String size, String style) {
    StringBuilder marks = new StringBuilder();
    for (FigureMark mark : figure.marks()) {
      marks.append(mark instanceof Text text ? text(text) : path((Path) mark)).append('\n');
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d"%3$s role="img"\
     aria-label="%4$s">
    %5$s<rect class="p" width="%1$d" height="%2$d"/>
    %6$s</svg>
    """
        .formatted(
            figure.width(),
            figure.height(),
            size,
            Escaped.markup(figure.title() + ". " + figure.summary()),
            style,
            marks);
  }

  private static String path(Path path) {
    String data =
        path.points().stream()
            .map(point -> number(point.x()) + " " + number(point.y()))
            .collect(Collectors.joining("L", "M", ""));
    return "<path class=\"%s\" stroke-width=\"%s\"%s d=\"%s\"/>"
        .formatted(
            path.role().css(),
            number(path.width()),
            path.dashed() ? " stroke-dasharray=\"5 4\"" : "",
            data);
  }

  private static String text(Text text) {
    String x = number(text.at().x());
    String y = number(text.at().y());
    return "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%d\" text-anchor=\"%s\"%s>%s</text>"
        .formatted(
            text.role().css(),
            x,
            y,
            text.size(),
            text.anchor().css(),
            text.upward() ? " transform=\"rotate(-90 %s %s)\"".formatted(x, y) : "",
            Escaped.markup(text.text()));
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
