/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.insight.analysis.Analyses;
import io.penstock.insight.analysis.Analysis;
import io.penstock.insight.overview.Overview;
import io.penstock.insight.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code penstock analyze}: what the logs say that a job did to S3. */
@Command(
    name = "analyze",
    description = "Shows what a job did to S3, and what S3 did to the job, from logs of any sort.",
    mixinStandardHelpOptions = true)
final class AnalyzeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private LogsOptions logs;

  @Option(
      names = "--tables",
      arity = "0..1",
      fallbackValue = "all",
      split = ",",
      paramLabel = "T2,T6",
      description = "Print these tables, or all, instead of the first screen.")
  private List<String> tables;

  @Mixin private TableOptions format;

  @Override
  public Integer call() throws IOException {
    List<Analysis> wanted = wanted();
    LogsProgress progress = new LogsProgress(spec.commandLine().getErr());
    try (LogsOptions.Opened opened = logs.open(progress)) {
      if (tables == null && format.isText()) {
        spec.commandLine().getOut().print(OverviewText.of(Overview.of(opened.data())));
        spec.commandLine().getOut().flush();
        return 0;
      }
      List<Table> results = new ArrayList<>();
      for (Analysis analysis : wanted) {
        results.add(analysis.run(opened.data().engine()));
      }
      format.print(results, spec.commandLine().getOut());
    }
    return 0;
  }

  private List<Analysis> wanted() {
    if (tables == null || tables.contains("all")) {
      return Analyses.all();
    }
    List<Analysis> wanted = new ArrayList<>();
    for (String id : tables) {
      wanted.add(
          Analyses.byId(id)
              .orElseThrow(() -> new IllegalArgumentException("--tables: there is no " + id)));
    }
    return wanted;
  }
}
