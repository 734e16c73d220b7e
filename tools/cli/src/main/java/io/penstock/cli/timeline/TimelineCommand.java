/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.timeline;

import io.penstock.analyze.timeline.ObjectTimeline;
import io.penstock.cli.input.HtmlFile;
import io.penstock.cli.input.LogsOptions;
import io.penstock.cli.input.LogsProgress;
import io.penstock.cli.input.TableOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code penstock timeline}: shows every attempt at the requests for one object. */
@Command(
    name = "timeline",
    description = "Reads logs, and shows every attempt of every request for one object or upload.",
    mixinStandardHelpOptions = true)
public final class TimelineCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private LogsOptions logs;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "The object, given as its key, a piece of its key that no other has, or"
              + " s3://BUCKET/KEY; or an upload id. Default: the object of the slowest request.")
  private String key;

  @Mixin private TableOptions format;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the plot and the table as an HTML file.")
  private Path html;

  @Override
  public Integer call() throws IOException {
    HtmlFile.check(html);
    PrintWriter out = spec.commandLine().getOut();
    LogsProgress progress = new LogsProgress(spec.commandLine().getErr());
    try (LogsOptions.Opened opened = logs.open(progress)) {
      ObjectTimeline timeline = ObjectTimeline.of(opened.data().engine(), Optional.ofNullable(key));
      if (format.isText()) {
        out.print(TimelineText.of(timeline));
      } else {
        format.print(List.of(timeline.attempts()), out);
      }
      out.flush();
      if (html != null) {
        HtmlFile.write(html, timeline.page());
        spec.commandLine().getErr().println("The timeline is in " + html);
      }
    }
    return 0;
  }
}
