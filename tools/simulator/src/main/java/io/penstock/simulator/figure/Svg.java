/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.figure.Mark.Path;
import io.penstock.simulator.figure.Mark.Role;
import io.penstock.simulator.figure.Mark.Text;
import java.util.Locale;

/** A figure as SVG; light or dark as the reader's system is. */
public final class Svg {
  private Svg() {}

  /** A file of its own. */
  public static String file(Figure figure) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + element(
            figure,
            " width=\"%d\" height=\"%d\"".formatted(figure.width(), figure.height()),
            "<style>" + style() + "</style>\n");
  }

  /** Returns the drawing for a page that has the style. */
  static String inline(Figure figure) {
    return element(figure, "", "");
  }

  /** Colours twice rather than as variables, which many readers of SVG files do not know. */
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

  private static String element(Figure figure, String size, String style) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\"%3$s role=\"img\""
                + " aria-label=\"%4$s\">\n")
            .formatted(
                figure.width(),
                figure.height(),
                size,
                Escaped.markup(figure.title() + ". " + figure.summary())));
    svg.append(style);
    svg.append(
        "<rect class=\"p\" width=\"%d\" height=\"%d\"/>\n"
            .formatted(figure.width(), figure.height()));
    for (Mark mark : figure.marks()) {
      svg.append(mark instanceof Text text ? text(text) : path((Path) mark)).append('\n');
    }
    return svg.append("</svg>\n").toString();
  }

  private static String path(Path path) {
    StringBuilder data = new StringBuilder();
    for (Mark.Point point : path.points()) {
      data.append(data.isEmpty() ? 'M' : 'L')
          .append(number(point.x()))
          .append(' ')
          .append(number(point.y()));
    }
    String dashes = path.dashed() ? " stroke-dasharray=\"5 4\"" : "";
    return "<path class=\"%s\" stroke-width=\"%s\"%s d=\"%s\"/>"
        .formatted(path.role().css(), number(path.width()), dashes, data);
  }

  private static String text(Text text) {
    String x = number(text.at().x());
    String y = number(text.at().y());
    String turned = text.upward() ? " transform=\"rotate(-90 " + x + " " + y + ")\"" : "";
    return "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%d\" text-anchor=\"%s\"%s>%s</text>"
        .formatted(
            text.role().css(),
            x,
            y,
            text.size(),
            text.anchor().css(),
            turned,
            Escaped.markup(text.text()));
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
