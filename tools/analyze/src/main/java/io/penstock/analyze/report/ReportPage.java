/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.html.Item;
import io.penstock.analyze.html.LatencyPlots;
import io.penstock.analyze.html.PageSection;
import io.penstock.analyze.html.PlacePlots;
import io.penstock.analyze.html.Plot;
import io.penstock.analyze.html.RatePlots;
import io.penstock.analyze.html.RetryPlots;
import io.penstock.analyze.html.SizePlots;
import io.penstock.analyze.html.StagePlots;
import io.penstock.analyze.html.TableItem;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The sections of the report, with every table and plot that is not empty. */
public final class ReportPage {
  private final QueryEngine engine;
  private final Prices prices;
  private final Map<String, Table> answers = new HashMap<>();

  public ReportPage(QueryEngine engine, Prices prices) {
    this.engine = engine;
    this.prices = prices;
  }

  /**
   * Returns the sections that are not empty. Each table or plot is computed once, even if it is
   * shown several times.
   */
  public List<PageSection> sections() throws IOException {
    List<PageSection> sections = new ArrayList<>();
    for (PageSection section :
        List.of(
            rates(),
            throttling(),
            tail(),
            retries(),
            operations(),
            executors(),
            sizes(),
            section("Names", "What was looked up.", table("dns-names")),
            reading())) {
      if (!section.items().isEmpty()) {
        sections.add(section);
      }
    }
    return sections;
  }

  private PageSection rates() throws IOException {
    return section(
        "Requests a second",
        "What S3 was asked for over time, and the seconds in which most happened.",
        plot(
            "requests-over-time",
            RatePlots.requests(answer("requests-over-time"), answer("stages-over-time"))),
        plot("operations-over-time", RatePlots.byApi(answer("operations-over-time"))),
        table("request-rates"),
        table("top-seconds"));
  }

  private PageSection throttling() throws IOException {
    return section(
        "Throttling",
        "Which operations, seconds and prefixes S3 throttled, and whose requests they were.",
        table("throttled-operations"),
        table("throttled-seconds"),
        table("hot-prefixes"),
        plot("prefixes-over-time", PlacePlots.prefixes(answer("prefixes-over-time"))),
        table("requesters"),
        table("what-if-larger-files"));
  }

  private PageSection tail() throws IOException {
    return section(
        "The tail",
        "How long requests took; the slowest of a stage decide how long the stage takes.",
        table("tail-latency"),
        plot("latency-curve", LatencyPlots.tail(answer("latency-curve"))),
        plot("latency-over-time", LatencyPlots.heat(answer("latency-over-time"))),
        table("slowest-requests"),
        whatIf());
  }

  private PageSection retries() throws IOException {
    return section(
        "Retries",
        "Requests that were tried more than once, and what that cost.",
        timeline(),
        table("longest-retries"),
        plot("attempts-per-request", RetryPlots.attempts(answer("attempts-per-request"))),
        plot("attempts-per-request", RetryPlots.waits(answer("attempts-per-request"))));
  }

  private PageSection operations() throws IOException {
    return section(
        "Operations",
        "Every S3 API that was called, the errors, and the bill.",
        table("operations"),
        table("failures"),
        table("errors"),
        table("error-messages"),
        table("troubles"),
        table("cost"));
  }

  private PageSection executors() throws IOException {
    return section(
        "Executors and stages",
        "Where the requests came from, and what Spark did at the same time.",
        table("jobs"),
        table("job-facts"),
        table("stage-problems"),
        table("lost-executors"),
        table("told-requests"),
        plot("stages-over-time", StagePlots.stages(answer("stages-over-time"))),
        table("stages"),
        table("stage-requests"),
        plot("executors-over-time", PlacePlots.executors(answer("executors-over-time"))),
        table("executors"));
  }

  private PageSection sizes() throws IOException {
    return section(
        "Sizes",
        "How large the files and the reads are.",
        table("paths"),
        table("sizes"),
        plot("request-sizes", SizePlots.sizes(answer("request-sizes"))));
  }

  private PageSection reading() throws IOException {
    return section(
        "What was read",
        "The files behind all this, and every record in them that is not a request.",
        table("summary"),
        table("files"),
        table("records"));
  }

  /** Returns the plot timeout-curve, which is drawn from the rows of what-if-timeout. */
  private Item whatIf() throws IOException {
    return LatencyPlots.whatIf(answer("what-if-timeout"))
        .withSql(ReportTables.sql("what-if-timeout"));
  }

  private Item timeline() throws IOException {
    Table history = answer("attempts-at-one-object");
    String what = history.isEmpty() ? "" : history.text(0, "key");
    return plot("attempts-at-one-object", RetryPlots.timeline(history, what));
  }

  /** Returns a table of the report or the table behind a plot. */
  private Table answer(String name) throws IOException {
    Table known = answers.get(name);
    if (known == null) {
      known = ReportTables.compute(name, engine, prices);
      answers.put(name, known);
    }
    return known;
  }

  private Item table(String name) throws IOException {
    return new TableItem(answer(name), "", ReportTables.sql(name));
  }

  private static Item plot(String name, Plot plot) {
    return plot.withSql(ReportTables.sql(name));
  }

  private static PageSection section(String title, String text, Item... items) {
    List<Item> shown = Stream.of(items).filter(item -> !isEmpty(item)).toList();
    return new PageSection(title, text, shown);
  }

  private static boolean isEmpty(Item item) {
    return item instanceof TableItem table
        ? table.table().isEmpty()
        : item instanceof Plot plot && plot.table().isEmpty();
  }
}
