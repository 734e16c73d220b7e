/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.logs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code penstock logs}: generates logs for trying the analyses. */
@Command(
    name = "logs",
    description = "Generates S3 and Spark logs, for users who have no logs of their own.",
    subcommands = LogsGenerateCommand.class,
    mixinStandardHelpOptions = true)
public final class LogsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
