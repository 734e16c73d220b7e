/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import io.penstock.simulator.cluster.outcome.ScenarioSummary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes one HTML file with figures and a table. The file has no script and loads nothing. */
public final class FigurePage {
  private static final String STYLE =
      """
      :root{--ground:#fff;--ink:#1f2328;--quiet:#59636e;--shade:#0003}\
      @media(prefers-color-scheme:dark){\
      :root{--ground:#0d1117;--ink:#e6edf3;--quiet:#9198a1;--shade:#fff4}}\
      body{font-family:sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;\
      color-scheme:light dark;background:var(--ground);color:var(--ink)}\
      table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
      th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8884}\
      th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}\
      figure{margin:1.5rem 0}footer{color:var(--quiet)}\
      .wide{overflow-x:auto;background:\
      linear-gradient(to right,var(--ground) 30%,transparent) 0 0/40px 100% local,\
      linear-gradient(to left,var(--ground) 30%,transparent) 100% 0/40px 100% local,\
      linear-gradient(to right,var(--shade),transparent) 0 0/12px 100% scroll,\
      linear-gradient(to left,var(--shade),transparent) 100% 0/12px 100% scroll;\
      background-repeat:no-repeat}\
      figure svg{display:block;width:100%;min-width:46rem}\
      svg .p{fill-opacity:0}\
      """;

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none';\
       style-src 'sha256-%2$s'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>%1$s</title>
      <style>%3$s</style>
      </head>
      <body>
      <main>
      <h1>%1$s</h1>
      %4$s<div class="wide" tabindex="0" role="region" aria-label="Results">
      <table>
      <thead><tr>%5$s</tr></thead>
      <tbody>
      %6$s</tbody>
      </table>
      </div>
      </main>
      <footer><p>Simulated; mean of %7$s. Over ideal: time over that of an oracle whose requests\
       queue at S3 and are never rejected.</p></footer>
      </body>
      </html>
      """;

  /** A column of the table. */
  private record Column(String head, Function<ScenarioSummary, String> cell) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("scenario", row -> row.scenario().name()),
          new Column("policy", row -> row.policy().slug()),
          new Column("time, s", row -> number("%,.1f", row.seconds())),
          new Column("over ideal", row -> number("%.3f", row.overIdeal())),
          new Column("throttled writes, %", row -> number("%.2f", 100 * row.throttledOfWrites())),
          new Column("throttled, % of all", row -> number("%.2f", 100 * row.throttledOfAll())),
          new Column("failed", row -> number("%,.0f", row.failed())),
          new Column("requests", row -> number("%,.0f", row.requests())),
          new Column(
              "Jain index",
              row -> row.scenario().rivals().count() == 0 ? "-" : number("%.3f", row.jain())));

  private FigurePage() {}

  public static String of(
      String title, List<RunFigure> figures, List<ScenarioSummary> rows, int seeds) {
    String style = STYLE + Svg.style();
    return PAGE.formatted(
        Escaped.markup(title),
        hash(style),
        style,
        joined(figures, FigurePage::figure),
        joined(COLUMNS, column -> "<th scope=\"col\">" + column.head() + "</th>"),
        joined(rows, FigurePage::row),
        seeds == 1 ? "1 seed" : seeds + " seeds");
  }

  private static String figure(RunFigure figure) {
    return "<figure class=\"wide\" tabindex=\"0\">\n%s</figure>\n".formatted(Svg.inline(figure));
  }

  private static String row(ScenarioSummary row) {
    String cells =
        joined(COLUMNS, column -> "<td>" + Escaped.markup(column.cell().apply(row)) + "</td>");
    return "<tr>" + cells + "</tr>\n";
  }

  private static <T> String joined(List<T> items, Function<T, String> markup) {
    return items.stream().map(markup).collect(Collectors.joining());
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
