/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.facts.CheckpointReader;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.repair.RepairPlan;
import io.penstock.checkpoints.repair.RepairPlan.Consent;
import io.penstock.checkpoints.repair.RepairPlan.Step;
import io.penstock.checkpoints.repair.RepairRun;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.CheckpointSummary;
import io.penstock.cli.checkpoint.CheckpointSource.Opened;
import io.penstock.cli.print.FindingsText;
import io.penstock.cli.print.Wrapped;
import io.penstock.cli.store.ThisProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock checkpoint repair}: moves aside the files that keep a query from
 * starting.
 */
@Command(
    name = "repair",
    description =
        "Shows which files of a checkpoint can be moved aside so that its query starts again, and"
            + " why this loses no data. Moves the files only with --write. A copy of every moved"
            + " file is kept below _penstock_repair/ in the checkpoint.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 the checkpoint is healthy now; 1 something still stops or corrupts",
      "the query, or the repair was refused; 2 wrong usage."
    })
final class CheckpointRepairCommand implements Callable<Integer> {
  private static final int NEWEST = 20;
  private static final int FILES_SHOWN = 8;

  @Spec private CommandSpec spec;

  @Mixin private CheckpointSource source;

  @Option(
      names = "--write",
      description = "Carry out the plan that is shown. Stop the query first.")
  private boolean writes;

  @Option(
      names = "--quiet",
      paramLabel = "MINUTES",
      defaultValue = "10",
      description =
          "Refuse if the checkpoint was written in the last MINUTES minutes, because its"
              + " query may be running. Default: ${DEFAULT-VALUE}.")
  private int quietMinutes;

  @Option(
      names = "--force",
      description = "Repair even if the checkpoint was written recently. Stop the query first.")
  private boolean isForced;

  @Option(
      names = "--older-than",
      paramLabel = "MINUTES",
      defaultValue = "60",
      description =
          "Move a temporary file only if it is older than MINUTES minutes. Default:"
              + " ${DEFAULT-VALUE}.")
  private int leftoverMinutes;

  @Override
  public Integer call() throws IOException {
    if (quietMinutes < 0 || leftoverMinutes < 0) {
      throw new IllegalArgumentException("minutes must not be negative");
    }
    PrintWriter out = spec.commandLine().getOut();
    CheckpointProgress progress = new CheckpointProgress(spec.commandLine().getErr());
    try (Opened opened = source.open()) {
      OpenedPlace place = opened.place();
      CheckpointReport report = CheckpointSource.read(opened, NEWEST, false, progress);
      Consent consent = new Consent(Duration.ofMinutes(leftoverMinutes), source.hasNoFileSink());
      CheckpointReader reader = CheckpointSource.reader(opened, NEWEST, false, progress);
      RepairPlan plan =
          RepairPlan.of(
              report.facts(), consent, moved -> reader.readWithout(moved, report.facts().now()));
      progress.end();
      RepairRun run = new RepairRun(place.files(), report.facts().now());
      show(out, report, plan, run);
      if (plan.steps().isEmpty() || !writes) {
        if (!plan.steps().isEmpty()) {
          out.println("\nNothing was done. To do it, stop the query and add --write.");
        }
        out.flush();
        return report.isHealthy() ? 0 : 1;
      }
      refuseWhenLive(report);
      for (Step step : plan.steps()) {
        run.run(step);
      }
      CheckpointReport after = CheckpointSource.read(opened, NEWEST, false, progress);
      progress.end();
      out.println(
          "\nDone. The copies are below " + place.files().where() + slash(place) + run.aside());
      out.print(CheckpointText.findings(after.findings()));
      out.flush();
      return after.isHealthy() ? 0 : 1;
    }
  }

  private static String slash(OpenedPlace place) {
    return place.files().where().endsWith("/") ? "" : "/";
  }

  private static void show(
      PrintWriter out, CheckpointReport report, RepairPlan plan, RepairRun run) {
    out.println(report.where());
    if (plan.steps().isEmpty()) {
      out.println("\nThere is nothing that a repair can move aside.");
    }
    int number = 1;
    for (Step step : plan.steps()) {
      out.println();
      out.print(Wrapped.text(number++ + ". ", "   ", step.what() + ": move to " + run.aside()));
      for (StoredFile file : step.files().subList(0, Math.min(FILES_SHOWN, step.files().size()))) {
        out.println("     " + FindingsText.visible(file.path()));
      }
      if (step.files().size() > FILES_SHOWN) {
        out.printf("     and %,d more%n", step.files().size() - FILES_SHOWN);
      }
      out.print(Wrapped.text("   safe: ", "   ", step.why()));
      out.print(Wrapped.text("   then: ", "   ", step.then()));
    }
    for (String refusal : plan.refusals()) {
      out.println();
      out.print(Wrapped.text("Not repaired: ", "  ", refusal));
    }
    long harmful = report.findings().stream().filter(f -> f.severity().isHarmful()).count();
    if (harmful > 0) {
      out.println();
      out.print(
          Wrapped.text(
              "",
              "",
              "%d finding%s of penstock checkpoint check stop%s or corrupt%s the query now."
                  .formatted(
                      harmful,
                      harmful == 1 ? "" : "s",
                      harmful == 1 ? "s" : "",
                      harmful == 1 ? "s" : "")));
    }
    out.flush();
  }

  private void refuseWhenLive(CheckpointReport report) throws IOException {
    Duration quiet =
        CheckpointSummary.lastWrite(report.facts())
            .map(last -> Duration.between(last, ThisProcess.time().now()))
            .orElse(Duration.ofDays(1));
    if (!isForced && quiet.compareTo(Duration.ofMinutes(quietMinutes)) < 0) {
      throw new IOException(
          "refused: the checkpoint was written %d s ago, so its query may be running. Stop it, and"
                  .formatted(quiet.toSeconds())
              + " wait, or add --force when you know that it is stopped.");
    }
  }
}
