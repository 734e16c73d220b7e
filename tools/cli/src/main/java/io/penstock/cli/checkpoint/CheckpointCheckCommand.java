/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.facts.CheckpointFacts.SinkFacts;
import io.penstock.checkpoints.facts.SinkLogReader;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.ReportJson;
import io.penstock.checkpoints.report.SinkReport;
import io.penstock.cli.checkpoint.CheckpointSource.Opened;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock checkpoint check}: tells whether the query would start, and from
 * which state.
 */
@Command(
    name = "check",
    description =
        "Shows what a checkpoint contains, what its query would do at its next start, and what"
            + " would stop or corrupt it. Changes nothing.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 the checkpoint is healthy; 1 something stops or corrupts the query, or",
      "the checkpoint could not be read; 2 wrong usage."
    })
final class CheckpointCheckCommand implements Callable<Integer> {
  private enum Format {
    TABLE,
    JSON
  }

  @Spec private CommandSpec spec;

  @Mixin private CheckpointSource source;

  @Option(names = "--deep", description = "Read every file that has a checksum, and verify it.")
  private boolean isDeep;

  @Option(
      names = "--newest",
      paramLabel = "N",
      defaultValue = "20",
      description = "Read the newest N offsets and commits. Default: ${DEFAULT-VALUE}.")
  private int newest;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table or json. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Override
  public Integer call() throws IOException {
    CheckpointProgress progress = new CheckpointProgress(spec.commandLine().getErr());
    try (Opened opened = source.open()) {
      // A sink may have millions of data files: read its log first, so that they need not be
      // listed.
      OpenedPlace place = opened.place();
      SinkFacts sink = SinkLogReader.read(place.files(), place.pool(), progress);
      if (sink.log().newest().isEmpty()) {
        return show(CheckpointSource.read(opened, newest, isDeep, progress), progress);
      }
      if (place.files().list("offsets/", listed -> {}).isEmpty()) {
        return show(SinkReport.of(sink));
      }
      // The query keeps its checkpoint in the directory that it writes to.
      Opened both = new Opened(place, opened.sink().or(() -> Optional.of(place)));
      return show(CheckpointSource.read(both, newest, isDeep, progress), progress);
    } finally {
      progress.end();
    }
  }

  private int show(CheckpointReport report, CheckpointProgress progress) {
    progress.end();
    print(format == Format.JSON ? ReportJson.of(report) : CheckpointText.of(report));
    return report.isHealthy() ? 0 : 1;
  }

  private int show(SinkReport report) {
    print(format == Format.JSON ? ReportJson.of(report) : CheckpointText.of(report));
    return report.isHealthy() ? 0 : 1;
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text.stripTrailing());
    out.flush();
  }
}
