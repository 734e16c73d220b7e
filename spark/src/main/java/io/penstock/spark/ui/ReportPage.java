/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.Work;
import io.penstock.spark.ui.Report.OperationRow;
import io.penstock.spark.ui.Report.Point;
import io.penstock.spark.ui.Report.RateRow;
import io.penstock.spark.ui.Report.Row;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Draws a report as HTML, complete without a script. Links are relative to the tab, so they hold
 * behind any proxy. All texts are escaped, because keys and names come from users. Colours follow
 * those of Spark's page, which may be dark.
 */
final class ReportPage {
  /** The element that the script replaces while the application runs. */
  static final String ELEMENT = "penstock-s3";

  private static final String STYLE =
      """
      #penstock-s3 { --p-line: #1b6ec2; --p-warn: #b02a37; --p-soft: rgba(128,128,128,.35); --p-link: #0a4f8f; }
      [data-bs-theme=dark] #penstock-s3 { --p-line: #6cb2f7; --p-warn: #ff8a94; --p-link: #8ec5ff; }
      #penstock-s3 .p-tiles { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: .5rem 0 1rem; list-style: none; }
      #penstock-s3 .p-tiles li { border: 1px solid var(--p-soft); border-radius: .3rem; padding: .4rem .8rem; min-width: 7rem; }
      #penstock-s3 .p-tiles b { display: block; font-size: 1.2rem; }
      #penstock-s3 .p-plots { display: flex; flex-wrap: wrap; gap: 1rem; }
      #penstock-s3 figure { flex: 1 1 22rem; margin: 0 0 1rem; min-width: 0; }
      #penstock-s3 svg { width: 100%; height: auto; display: block; }
      #penstock-s3 .p-wide { overflow-x: auto; }
      #penstock-s3 table { width: auto; min-width: 40%; font-variant-numeric: tabular-nums; }
      #penstock-s3 td.n, #penstock-s3 th.n { text-align: right; white-space: nowrap; }
      #penstock-s3 td.t { overflow-wrap: anywhere; min-width: 8rem; max-width: 40rem; }
      #penstock-s3 a { color: var(--p-link); text-decoration: underline; }
      #penstock-s3 .p-warn { color: var(--p-warn); font-weight: 600; }
      """;

  private static final String CLIENTS = "Clients";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1e6;

  private final Report report;
  private final boolean isLive;
  private final StringBuilder page = new StringBuilder(16_384);

  private ReportPage(Report report, boolean isLive) {
    this.report = report;
    this.isLive = isLive;
  }

  /**
   * Returns the element with the whole report.
   *
   * @param isLive true if the application runs, so that a later report may have more
   */
  static String html(Report report, boolean isLive) {
    ReportPage page = new ReportPage(report, isLive);
    page.all();
    return page.page.toString();
  }

  private void all() {
    page.append("<div id=\"").append(ELEMENT).append("\" data-live=\"");
    page.append(isLive && !report.isFinal()).append("\"><style>").append(STYLE).append("</style>");
    page.append("<ul>");
    report.findings().forEach(finding -> page.append("<li>").append(escaped(finding)));
    page.append("</ul>");
    tiles(report.total());
    plots(report.points());
    operations();
    rates();
    rows("SQL queries", "Query", report.queries(), report.omitted().queries(), this::query);
    rows("Stages", "Query and stage", report.stages(), report.omitted().stages(), this::stage);
    rows("Paths", "Path", report.paths(), report.omitted().paths(), this::path);
    boolean isAllOurs =
        report.clients().stream().allMatch(row -> row.name().equals(Client.PENSTOCK.title()));
    rows(
        CLIENTS, "Client", isAllOurs ? List.of() : report.clients(), 0, row -> escaped(row.name()));
    rows(
        "Executors",
        "Executor",
        report.executors(),
        report.omitted().executors(),
        row -> escaped(row.name()));
    page.append("<p>Each attempt is a request, so retries count, too. The cost is that of the")
        .append(" requests at S3's list price (us-east-1, Standard), of which throttled and failed")
        .append(" ones have none. Misses are answers that")
        .append(" an object does not exist or that a condition does not hold, and listings that")
        .append(" find nothing. <a href=\"json/\">")
        .append("All of it as JSON</a>.</p></div>");
  }

  private void tiles(RequestSums total) {
    page.append("<ul class=\"p-tiles\">");
    tile(count(total.requests()), "requests", false);
    tile(count(total.throttled()), "throttled", total.throttled() > 0);
    tile(count(total.failed()), "failed", total.failed() > 0);
    tile(count(total.repeats()), "retries", false);
    tile(seconds(total.waitedNanos()), "waited for permits", false);
    tile(bytes(total.sentBytes()), "sent", false);
    tile(bytes(total.receivedBytes()), "received", false);
    tile(dollars(total.dollars()), "requests' cost", false);
    page.append("</ul>");
  }

  private void tile(String number, String name, boolean isBad) {
    page.append(isBad ? "<li class=\"p-warn\"><b>" : "<li><b>").append(number);
    page.append("</b>").append(name).append("</li>");
  }

  private void plots(List<Point> points) {
    if (points.size() < 2) {
      return;
    }
    page.append("<div class=\"p-plots\">");
    Plot plot = new Plot(points, report.startedMillis());
    figure(
        "Requests a second",
        plot.svg("Requests a second", Point::requests, Point::throttled, 1),
        plain(plot.peak(Point::requests)) + " after " + plot.peakAfter(Point::requests));
    double throttled = plot.peak(Point::throttled);
    if (throttled > 0) {
      page.append("; <span class=\"p-warn\">throttled</span> up to ").append(plain(throttled));
    }
    page.append("</figcaption></figure>");
    ToLongFunction<Point> bytes = point -> point.sentBytes() + point.receivedBytes();
    figure(
        "MB a second",
        plot.svg("MB a second", bytes, point -> 0, BYTES_PER_MB),
        plain(plot.peak(bytes) / BYTES_PER_MB) + " after " + plot.peakAfter(bytes));
    page.append("</figcaption></figure></div>");
  }

  /** Begins a figure; the caller may add to its caption, and ends both. */
  private void figure(String title, String svg, String peak) {
    page.append("<figure>").append(svg).append("<figcaption>");
    page.append(title).append(", up to ").append(peak);
  }

  private void operations() {
    heading("Operations");
    head("Operation", "Requests", "p50, ms", "p99, ms", "p99.9, ms");
    for (OperationRow row : report.operations()) {
      cells(
          escaped(row.operation()),
          count(row.requests()),
          plain(row.p50Millis()),
          plain(row.p99Millis()),
          plain(row.p999Millis()));
    }
    end(0);
  }

  private void rates() {
    if (report.rates().isEmpty()) {
      return;
    }
    heading("Allowed rates");
    head("Prefix", "Requests", "A second");
    for (RateRow row : report.rates()) {
      cells(
          escaped("s3://" + row.bucket() + "/" + row.prefix()),
          escaped(row.traffic() + "s"),
          row.perSecond() < 0 ? "no limit" : plain(row.perSecond()));
    }
    end(0);
  }

  private void rows(
      String title, String name, List<Row> rows, int omitted, Function<Row, String> first) {
    if (rows.isEmpty()) {
      return;
    }
    heading(title);
    head(
        name,
        "Requests",
        "Reads",
        "Writes",
        "Lists",
        "Deletes",
        "Misses",
        "Throttled",
        "Failed",
        "Retries",
        "Hedges",
        "Sent",
        "Received",
        "Time",
        "Waited",
        "Cost");
    for (Row row : rows) {
      RequestSums sums = row.sums();
      cells(
          first.apply(row),
          count(sums.requests()),
          count(sums.reads()),
          count(sums.writes()),
          count(sums.lists()),
          count(sums.deletes()),
          count(sums.misses()),
          bad(sums.throttled()),
          bad(sums.failed()),
          count(sums.repeats()),
          count(sums.hedges()),
          bytes(sums.sentBytes()),
          bytes(sums.receivedBytes()),
          seconds(sums.busyNanos()),
          // Whoever waits for a permit does not know yet which library asks.
          title.equals(CLIENTS) ? "–" : seconds(sums.waitedNanos()),
          dollars(sums.dollars()));
    }
    end(omitted);
  }

  private String query(Row row) {
    return "<a href=\"../SQL/execution/?id=%d\">query %d</a>".formatted(row.query(), row.query());
  }

  private String stage(Row row) {
    if (isRest(row)) {
      return "other stages";
    }
    String query = row.query() == Work.NONE ? "no query" : query(row);
    return row.stage() == Work.NONE
        ? query + ", no stage"
        : query
            + ", <a href=\"../stages/stage/?id=%d&amp;attempt=0\">stage %d</a>"
                .formatted(row.stage(), row.stage());
  }

  private static boolean isRest(Row row) {
    return row.query() == Work.REST.query() && row.stage() == Work.REST.stage();
  }

  private String path(Row row) {
    return escaped(row.name().startsWith("(") ? row.name() : "s3://" + row.name());
  }

  private void heading(String title) {
    page.append("<h4>").append(title).append("</h4>");
    page.append("<div class=\"p-wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    page.append(title).append("\">");
    page.append("<table class=\"table table-bordered table-sm table-striped\">");
  }

  private void head(String first, String... others) {
    page.append("<thead><tr><th scope=\"col\">").append(first);
    for (String other : others) {
      page.append("</th><th scope=\"col\" class=\"n\">").append(other);
    }
    page.append("</th></tr></thead><tbody>");
  }

  private void cells(String first, String... others) {
    page.append("<tr><td class=\"t\">").append(first);
    for (String other : others) {
      page.append("</td><td class=\"n\">").append(other);
    }
    page.append("</td></tr>");
  }

  private void end(int omitted) {
    page.append("</tbody></table>");
    if (omitted > 0) {
      page.append("<p>").append(count(omitted)).append(" with fewer requests are not shown.</p>");
    }
    page.append("</div>");
  }

  private static String bad(long number) {
    return number == 0 ? "0" : "<span class=\"p-warn\">" + count(number) + "</span>";
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String plain(double number) {
    return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%,.0f", number);
  }

  private static String seconds(long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%,.0f s", seconds);
  }

  private static String dollars(double dollars) {
    return String.format(Locale.ROOT, dollars < 1 ? "$%.4f" : "$%,.2f", dollars);
  }

  private static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }

  /** Returns the text as HTML shows it; control characters become question marks. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(Character.isISOControl(c) ? '?' : c);
      }
    }
    return escaped.toString();
  }
}
