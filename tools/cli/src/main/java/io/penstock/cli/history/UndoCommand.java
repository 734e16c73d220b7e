/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import io.penstock.cli.print.Terminal;
import io.penstock.cli.print.Wrapped;
import io.penstock.cli.store.OpenedBuckets;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.TablePath;
import io.penstock.cli.store.ThisProcess;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.history.CommitToUndo;
import io.penstock.core.commit.history.CommitUndoing;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.lease.LeaseThread;
import io.penstock.core.stack.StoreStack;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock undo}: takes a commit back. */
@Command(
    name = "undo",
    description =
        "Takes back a commit to a table in a bucket that keeps versions: the files that it added"
            + " are deleted, and what it replaced is there again. No byte is copied, and readers"
            + " with Penstock see all of the undo or nothing. An undo is a commit itself and can be"
            + " taken back, too. Shows what would be done; with --write, does it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "'penstock history PATH' shows the commits.",
      "Exit codes: 0 success, 1 failure, 2 wrong usage."
    })
public final class UndoCommand implements Callable<Integer> {
  private static final int SPARED_SHOWN = 10;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PATH", description = "The table: s3://BUCKET/PREFIX.")
  private String path;

  @Parameters(
      index = "1",
      paramLabel = "COMMIT",
      description = "The beginning of a job's id, or 'last' for the newest commit.")
  private String name;

  @Option(names = "--write", description = "Do what is shown.")
  private boolean writes;

  @Option(
      names = "--unchanged-only",
      description =
          "Leave the directories (partitions) as they are that later commits have changed, and take"
              + " the commit back in the others. Without this option, such a commit is not taken"
              + " back.")
  private boolean spares;

  @Mixin private StoreOptions options;

  @Override
  public Integer call() throws IOException {
    TablePath place = TablePath.of(path);
    PrintWriter out = spec.commandLine().getOut();
    OutputTable table = place.table();
    try (OpenedBuckets buckets = new OpenedBuckets(options)) {
      Terminal terminal = new Terminal(spec.commandLine().getErr());
      terminal.progress("reading the history of " + table);
      StoreStack stack = buckets.stack(table.bucket());
      TableHistory history = new TableHistory(buckets, table, stack.pool());
      PastCommit commit = new CommitsOfTable(history, table, ThisProcess.time().now()).named(name);
      Means means =
          new Means(
              buckets,
              stack.pool(),
              ThisProcess.time(),
              CommitConfig.from(stack.settings()),
              LeaseThread::start,
              stack.engine().unansweredWrites());
      CommitUndoing undoing = new CommitUndoing(means, table);
      terminal.progress("listing the versions of the files");
      CommitToUndo plan = undoing.plan(commit, spares);
      terminal.clear();
      out.println(table);
      show(out, plan);
      if (plan.removed().isEmpty() && plan.restored().isEmpty()) {
        out.println("\nThere is nothing to take back.");
        return 0;
      }
      if (!writes) {
        out.println("\nNothing was done. To do it:");
        out.println(
            "  " + again(table, commit.job(), spares ? " --unchanged-only --write" : " --write"));
        return 0;
      }
      out.flush();
      terminal.progress("taking the commit back");
      long pid = ProcessHandle.current().pid();
      String id =
          undoing.run(
              plan,
              (job, started) ->
                  new CommittingJob(
                      job,
                      "penstock-undo",
                      System.getProperty("user.name", CommittingJob.UNKNOWN),
                      ThisProcess.host(),
                      pid,
                      started),
              ThisProcess.newId());
      terminal.clear();
      out.println("\nDone. To take this back:");
      out.println("  " + again(table, id, " --write"));
      return 0;
    } finally {
      out.flush();
    }
  }

  private static String again(OutputTable table, String job, String options) {
    String path = table.toString().replaceFirst("/$", "");
    return "penstock undo " + path + " " + CommitsOfTable.shortName(job, 8) + options;
  }

  private static void show(PrintWriter out, CommitToUndo plan) {
    out.println();
    out.print(Wrapped.text("  ", "    ", plan.intent().job().toString()));
    out.println(
        "    ended at " + HistoryCommand.SECOND.format(plan.commit().ended().orElseThrow()));
    out.println(
        "    to delete:  %s (%s)"
            .formatted(
                HistoryCommand.count(plan.removedFiles(), "file"),
                Values.bytes(plan.removedBytes())));
    out.println(
        "    to restore: %s (%s)"
            .formatted(
                HistoryCommand.count(plan.restored().size(), "file"),
                Values.bytes(plan.restoredBytes())));
    if (!plan.spared().isEmpty()) {
      out.println(
          "    left as they are: " + HistoryCommand.count(plan.spared().size(), "directory"));
      int shown = 0;
      for (Map.Entry<String, String> one : plan.spared().entrySet()) {
        if (++shown > SPARED_SHOWN) {
          out.println("      …");
          break;
        }
        out.print(
            Wrapped.text(
                "      ", "        ", Values.visible(one.getKey() + ": " + one.getValue())));
      }
    }
  }
}
