/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.engine.Engine;
import io.penstock.analyze.html.Item;
import io.penstock.analyze.html.LatencyPlots;
import io.penstock.analyze.html.PlacePlots;
import io.penstock.analyze.html.Plot;
import io.penstock.analyze.html.RatePlots;
import io.penstock.analyze.html.RetryPlots;
import io.penstock.analyze.html.Section;
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
  private final Engine engine;
  private final Prices prices;
  private final Map<String, Table> answers = new HashMap<>();

  public ReportPage(Engine engine, Prices prices) {
    this.engine = engine;
    this.prices = prices;
  }

  /**
   * Returns the sections that are not empty. Each table or plot is computed once, even if it is
   * shown several times.
   */
  public List<Section> sections() throws IOException {
    List<Section> sections = new ArrayList<>();
    for (Section section :
        List.of(
            rates(),
            throttling(),
            tail(),
            retries(),
            operations(),
            executors(),
            sizes(),
            section("Names", "What was looked up.", table("T21")),
            reading())) {
      if (!section.items().isEmpty()) {
        sections.add(section);
      }
    }
    return sections;
  }

  private Section rates() throws IOException {
    return section(
        "Requests a second",
        "What S3 was asked for over time, and the seconds in which most happened.",
        plot("P1", RatePlots.requests(answer("P1"), answer("P10"))),
        plot("P2", RatePlots.byApi(answer("P2"))),
        table("T5"),
        table("T4"));
  }

  private Section throttling() throws IOException {
    return section(
        "Throttling",
        "Which operations, seconds and prefixes S3 throttled, and whose requests they were.",
        table("T3"),
        table("T4b"),
        table("T10"),
        plot("P5", PlacePlots.prefixes(answer("P5"))),
        table("T16"),
        table("T19"));
  }

  private Section tail() throws IOException {
    return section(
        "The tail",
        "How long requests took; the slowest of a stage decide how long the stage takes.",
        table("T6"),
        plot("P3", LatencyPlots.tail(answer("P3"))),
        plot("P4", LatencyPlots.heat(answer("P4"))),
        table("T7"),
        whatIf());
  }

  private Section retries() throws IOException {
    return section(
        "Retries",
        "Requests that were tried more than once, and what that cost.",
        timeline(),
        table("T8"),
        plot("T9", RetryPlots.attempts(answer("T9"))));
  }

  private Section operations() throws IOException {
    return section(
        "Operations",
        "Every S3 API that was called, the errors, and the bill.",
        table("T2"),
        table("T17"),
        table("T15"));
  }

  private Section executors() throws IOException {
    return section(
        "Executors and stages",
        "Where the requests came from, and what Spark did meanwhile.",
        table("T14"),
        table("T23"),
        table("T24"),
        table("T25"),
        plot("P10", StagePlots.stages(answer("P10"))),
        table("T12"),
        plot("P6", PlacePlots.executors(answer("P6"))),
        table("T11"));
  }

  private Section sizes() throws IOException {
    return section(
        "Sizes",
        "How large the files and the reads are.",
        table("T22"),
        table("T13"),
        plot("P9", SizePlots.sizes(answer("P9"))));
  }

  private Section reading() throws IOException {
    return section(
        "What was read",
        "The files behind all this, and every record in them that is no request.",
        table("T1"),
        table("files"),
        table("records"));
  }

  /** Returns plot P8, which is drawn from the rows of T18. */
  private Item whatIf() throws IOException {
    return LatencyPlots.whatIf(answer("T18")).withSql(ReportTables.sql("T18"));
  }

  private Item timeline() throws IOException {
    Table history = answer("P7");
    String what = history.isEmpty() ? "" : history.text(0, "key");
    return plot("P7", RetryPlots.timeline(history, what));
  }

  /** Returns a table of the report or the table behind a plot. */
  private Table answer(String id) throws IOException {
    Table known = answers.get(id);
    if (known == null) {
      known = ReportTables.compute(id, engine, prices);
      answers.put(id, known);
    }
    return known;
  }

  private Item table(String id) throws IOException {
    return new TableItem(answer(id), "", ReportTables.sql(id));
  }

  private static Item plot(String id, Plot plot) {
    return plot.withSql(ReportTables.sql(id));
  }

  private static Section section(String title, String text, Item... items) {
    List<Item> shown = Stream.of(items).filter(item -> !isEmpty(item)).toList();
    return new Section(title, text, shown);
  }

  private static boolean isEmpty(Item item) {
    return item instanceof TableItem table
        ? table.table().isEmpty()
        : item instanceof Plot plot && plot.table().isEmpty();
  }
}
