/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.compare;

import io.penstock.analyze.comparison.Comparison;
import io.penstock.analyze.report.Report;
import io.penstock.cli.input.HtmlFile;
import io.penstock.cli.input.LogsOptions;
import io.penstock.cli.input.LogsProgress;
import io.penstock.cli.input.PriceOptions;
import io.penstock.cli.input.TableOptions;
import io.penstock.cli.print.Wrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code penstock compare}: shows the effect of a change on a job's requests. */
@Command(
    name = "compare",
    description = {
      "Shows what changed between the logs of two runs: penstock compare BEFORE AFTER.",
      "Two runs of the same job also differ by chance. Compare a second pair of runs before you"
          + " trust a difference."
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private LogsOptions logs;

  @Mixin private TableOptions format;

  @Mixin private PriceOptions prices;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a page with both runs over time.")
  private Path html;

  @Override
  public Integer call() throws IOException {
    List<String> paths = logs.paths();
    if (paths.size() != 2) {
      throw new IllegalArgumentException(
          "compare needs two, BEFORE and AFTER, each a file, a directory or s3://BUCKET/PREFIX; got"
              + " "
              + paths.size());
    }
    if (html != null) {
      HtmlFile.check(html);
    }
    LogsProgress progress = new LogsProgress(spec.commandLine().getErr());
    try (LogsOptions.Opened before = logs.open(paths.subList(0, 1), 2, progress);
        LogsOptions.Opened after = logs.open(paths.subList(1, 2), 2, progress)) {
      Comparison comparison =
          Comparison.of(before.data().engine(), after.data().engine(), prices.prices());
      comparison
          .difference()
          .ifPresent(text -> spec.commandLine().getErr().println(Wrapped.text("", "", text)));
      if (format.isText() && !comparison.headline().isEmpty()) {
        spec.commandLine().getOut().println(Wrapped.text("", "", comparison.headline()));
      }
      format.print(
          format.isText() ? comparison.bySubject() : List.of(comparison.table()),
          spec.commandLine().getOut());
      if (html != null) {
        HtmlFile.write(
            html,
            Report.compared(
                paths.get(0), before.data(), paths.get(1), after.data(), prices.prices()));
        spec.commandLine().getErr().println("The report is in " + html);
      }
    }
    return 0;
  }
}
