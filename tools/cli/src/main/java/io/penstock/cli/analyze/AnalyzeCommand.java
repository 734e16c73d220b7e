/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.rules.Advisor;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.overview.Overview;
import io.penstock.analyze.report.Report;
import io.penstock.analyze.report.ReportTables;
import io.penstock.cli.input.HtmlFile;
import io.penstock.cli.input.Labels;
import io.penstock.cli.input.LogsOptions;
import io.penstock.cli.input.LogsProgress;
import io.penstock.cli.input.PriceOptions;
import io.penstock.cli.input.TableOptions;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code penstock analyze}: shows from the logs which requests a job sent to S3. */
@Command(
    name = "analyze",
    description =
        "Reads any logs of a job, and shows the job's S3 requests and how S3 answered them.",
    mixinStandardHelpOptions = true)
public final class AnalyzeCommand implements Callable<Integer> {
  /** Lists the names of the tables for the help text. */
  static final class TableNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ReportTables.labels().stream().map(Label::name).iterator();
    }
  }

  /** Takes the option without a value, where logs follow it. */
  static final class AllTables implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      if (!words.isEmpty() && areLogs(words.peek())) {
        words.push("all");
      }
      return false;
    }

    private static boolean areLogs(String word) {
      try {
        return word.startsWith("s3://") || word.startsWith("s3a://") || Files.exists(Path.of(word));
      } catch (InvalidPathException e) {
        return false;
      }
    }
  }

  @Spec private CommandSpec spec;

  @Mixin private LogsOptions logs;

  @Option(
      names = "--tables",
      arity = "0..1",
      fallbackValue = "all",
      split = ",",
      paramLabel = "NAME",
      completionCandidates = TableNames.class,
      preprocessor = AllTables.class,
      description =
          "Print these tables, or all, instead of the overview: ${COMPLETION-CANDIDATES}. An"
              + " id such as T4 also works; docs/analyze.md describes each table.")
  private List<String> tables;

  @Mixin private TableOptions format;

  @Mixin private PriceOptions prices;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a report with plots: one HTML file that needs no other file.")
  private Path html;

  @Override
  public Integer call() throws IOException {
    List<Label> wanted = wanted();
    if (html != null) {
      HtmlFile.check(html);
    }
    LogsProgress progress = new LogsProgress(spec.commandLine().getErr());
    try (LogsOptions.Opened opened = logs.open(progress)) {
      LogData data = opened.data();
      if (tables != null || !format.isText()) {
        print(wanted, data);
        if (html != null) {
          page(data, Overview.of(data), advice(data));
        }
      } else {
        Overview overview = Overview.of(data);
        List<Advice> advice = advice(data);
        print(OverviewText.of(overview));
        print(FirstAdvice.of(advice, logs.paths()));
        if (html != null) {
          page(data, overview, advice);
        }
      }
    }
    return 0;
  }

  private List<Advice> advice(LogData data) throws IOException {
    return Advisor.advise(data.engine(), AdviceOptions.none().withPrices(prices.prices()));
  }

  private void print(List<Label> wanted, LogData data) throws IOException {
    List<Table> results = new ArrayList<>();
    for (Label label : wanted) {
      results.add(ReportTables.compute(label.name(), data.engine(), prices.prices()));
    }
    format.print(results, spec.commandLine().getOut());
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  private void page(LogData data, Overview overview, List<Advice> advice) throws IOException {
    HtmlFile.write(html, Report.of(data, overview, advice, prices.prices()));
    spec.commandLine().getErr().println("The report is in " + html);
  }

  private List<Label> wanted() {
    List<Label> known = ReportTables.labels();
    if (tables == null || tables.stream().anyMatch("all"::equalsIgnoreCase)) {
      return known;
    }
    return tables.stream().map(text -> Labels.find("table", text, known)).toList();
  }
}
