/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock checkpoint}: shows the content of a streaming checkpoint and checks
 * it.
 */
@Command(
    name = "checkpoint",
    description = "Checks and repairs checkpoints of Structured Streaming, in S3 or a directory.",
    subcommands = {CheckpointCheckCommand.class, CheckpointRepairCommand.class},
    mixinStandardHelpOptions = true)
public final class CheckpointCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
