/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.comparison.Comparison;
import io.penstock.analyze.html.Figure;
import io.penstock.analyze.html.Item;
import io.penstock.analyze.html.Page;
import io.penstock.analyze.html.PageSection;
import io.penstock.analyze.html.Plot;
import io.penstock.analyze.html.RatePlots;
import io.penstock.analyze.html.TableItem;
import io.penstock.analyze.html.Tone;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.overview.Overview;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Builds the page with all results about a job's use of S3. */
public final class Report {
  // Below this limit a job is hardly affected. Above it, S3's own advice is to change something.
  private static final double WORRYING_PERCENT = 1;
  private static final double BAD_PERCENT = 10;

  private Report() {}

  /**
   * Computes all tables and plots and returns the page.
   *
   * @param overview the overview of the same logs
   * @param advice the advice, in the order in which it is shown
   */
  public static Page of(LogData data, Overview overview, List<Advice> advice, Prices prices)
      throws IOException {
    Table summary = Analyses.run("summary", data.engine());
    Table jobs = Analyses.run("jobs", data.engine());
    List<String> subtitle = new ArrayList<>();
    for (Overview.Line line : overview.lines()) {
      if (line.label().equals("Logs") || line.label().equals("Window")) {
        subtitle.add(line.text());
      }
    }
    String title =
        jobs.rows().size() == 1 ? "What " + jobs.text(0, "name") + " did to S3" : "S3 requests";
    List<Figure> figures = new ArrayList<>();
    if (!summary.isEmpty()) {
      figures.addAll(figures(summary));
    }
    Table facts = Analyses.run("job-facts", data.engine());
    if (facts.rows().size() == 1 && facts.at(0, "tasks") != null) {
      figures.addAll(JobFigures.of(facts));
    }
    return new Page(
        title,
        subtitle,
        figures,
        Remarks.of(advice),
        new ReportPage(data.engine(), prices).sections());
  }

  /** Returns a page that shows the differences between two runs. */
  public static Page compared(String nameA, LogData a, String nameB, LogData b, Prices prices)
      throws IOException {
    Analysis seconds = Analyses.named("requests-over-time").orElseThrow();
    Plot plot =
        RatePlots.compare(nameA, seconds.run(a.engine()), nameB, seconds.run(b.engine()))
            .withSql(seconds.sql());
    Comparison comparison = Comparison.of(a.engine(), b.engine(), prices);
    List<Item> items = new ArrayList<>();
    items.add(plot);
    comparison
        .bySubject()
        .forEach(subject -> items.add(new TableItem(subject, "", "", tones(subject))));
    String once =
        (comparison.headline()
                + " One run of each shows what happened, not what will: compare a second pair.")
            .strip();
    PageSection section =
        new PageSection(
            "Before and after",
            comparison.difference().map(text -> text + " " + once).orElse(once),
            List.copyOf(items));
    return new Page(
        "Two runs compared",
        List.of("Before: " + nameA, "After: " + nameB),
        List.of(),
        List.of(),
        List.of(section));
  }

  private static List<Tone> tones(Table comparison) {
    List<Tone> tones = new ArrayList<>();
    for (int row = 0; row < comparison.rows().size(); row++) {
      String verdict = comparison.text(row, "verdict");
      tones.add(
          verdict.equals(Comparison.BETTER)
              ? Tone.GOOD
              : verdict.equals(Comparison.WORSE) ? Tone.BAD : Tone.PLAIN);
    }
    return tones;
  }

  private static List<Figure> figures(Table summary) {
    double throttled = summary.number(0, "throttled_percent");
    Tone tone =
        throttled >= BAD_PERCENT ? Tone.BAD : throttled >= WORRYING_PERCENT ? Tone.WARN : Tone.GOOD;
    return List.of(
        figure("Attempts", summary, "requests", "with all retries", Tone.PLAIN),
        figure("Requests", summary, "logical_requests", "without their retries", Tone.PLAIN),
        figure(
            "Throttled",
            summary,
            "throttled_percent",
            Values.of(Kind.COUNT, summary.at(0, "throttled")) + " requests",
            tone),
        figure("Throttled writes", summary, "throttled_writes_percent", "of all writes", tone),
        figure("First to last", summary, "elapsed_s", "request", Tone.PLAIN),
        figure("Sent", summary, "bytes_in", "to S3", Tone.PLAIN),
        figure("Received", summary, "bytes_out", "from S3", Tone.PLAIN));
  }

  private static Figure figure(String label, Table summary, String column, String note, Tone tone) {
    Kind kind = summary.columns().get(summary.indexOf(column)).kind();
    return new Figure(label, Values.of(kind, summary.at(0, column)), note, tone);
  }
}
