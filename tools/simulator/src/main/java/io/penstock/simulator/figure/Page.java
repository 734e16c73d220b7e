/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.cluster.Summary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** One HTML file: figures and a table, without a script and without anything from elsewhere. */
public final class Page {
  private static final String STYLE =
      "body{font-family:sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
          + "color-scheme:light dark;background:#fff;color:#1f2328}"
          + "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
          + "th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8884}"
          + "th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}"
          + "figure{margin:1.5rem 0}figcaption,footer{color:#59636e}"
          + ".wide{overflow-x:auto}"
          + "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}"
          + "figcaption,footer{color:#9198a1}}";

  private Page() {}

  public static String of(String title, List<Figure> figures, List<Summary> rows, int seeds) {
    String style = STYLE + Svg.style();
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .append(" style-src 'sha256-" + hash(style) + "'; base-uri 'none'; form-action 'none'\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
        .append("<title>" + Escaped.markup(title) + "</title>\n")
        .append("<style>" + style + "</style>\n</head>\n<body>\n")
        .append("<h1>" + Escaped.markup(title) + "</h1>\n");
    for (Figure figure : figures) {
      page.append("<figure>\n" + Svg.inline(figure))
          .append("<figcaption>" + Escaped.markup(figure.summary()) + "</figcaption>\n</figure>\n");
    }
    page.append(table(rows, seeds));
    return page.append("</body>\n</html>\n").toString();
  }

  private static String table(List<Summary> rows, int seeds) {
    StringBuilder table = new StringBuilder("<div class=\"wide\">\n<table>\n<thead><tr>");
    for (String head :
        List.of(
            "scenario",
            "policy",
            "time, s",
            "over ideal",
            "throttled writes, %",
            "throttled, % of all",
            "failed",
            "requests",
            "Jain index")) {
      table.append("<th scope=\"col\">" + head + "</th>");
    }
    table.append("</tr></thead>\n<tbody>\n");
    for (Summary row : rows) {
      table.append("<tr>");
      for (String cell : cells(row)) {
        table.append("<td>" + Escaped.markup(cell) + "</td>");
      }
      table.append("</tr>\n");
    }
    return table
        + "</tbody>\n</table>\n</div>\n"
        + ("<footer><p>Simulated; mean of %d seed%s. Over ideal: time over that of an oracle whose"
                + " requests queue at S3 and are never rejected.</p></footer>\n")
            .formatted(seeds, seeds == 1 ? "" : "s");
  }

  private static List<String> cells(Summary row) {
    return List.of(
        row.scenario().name(),
        row.policy().slug(),
        number("%,.1f", row.seconds()),
        number("%.3f", row.overIdeal()),
        number("%.2f", 100 * row.throttledOfWrites()),
        number("%.2f", 100 * row.throttledOfAll()),
        number("%,.0f", row.failed()),
        number("%,.0f", row.requests()),
        number("%.3f", row.jain()));
  }

  private static String number(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }

  private static String hash(String style) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
