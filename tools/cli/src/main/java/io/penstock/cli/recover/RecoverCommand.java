/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.recover;

import io.penstock.cli.print.Ages;
import io.penstock.cli.print.Terminal;
import io.penstock.cli.print.Wrapped;
import io.penstock.cli.store.OpenedBuckets;
import io.penstock.cli.store.StoreClock;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.TablePath;
import io.penstock.cli.store.ThisProcess;
import io.penstock.core.commit.UnfinishedCommits;
import io.penstock.core.commit.UnfinishedCommits.Settled;
import io.penstock.core.commit.UnfinishedCommits.Unfinished;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.time.Time;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock recover}: completes or rolls back the commits of jobs that died. */
@Command(
    name = "recover",
    description =
        "Shows the unfinished commits of a table, whether their drivers have died or still run, and"
            + " how each commit would end. With --write, ends the commits of dead drivers: either"
            + " all files of a job become visible, or none. The next job on the table also ends"
            + " such commits, by itself.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 all commits are finished, 1 at least one is unfinished, 2 wrong usage."
    })
public final class RecoverCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The table: s3://BUCKET/PREFIX.")
  private String path;

  @Option(names = "--write", description = "Carry out the plan that is shown.")
  private boolean writes;

  /** The requested direction. At most one may be given. */
  static final class Wish {
    @Option(
        names = "--forward",
        description = "Make all files of the jobs visible, except files that no longer exist.")
    private boolean isForward;

    @Option(
        names = "--back",
        description = "Undo the jobs: delete the files of these jobs that are already visible.")
    private boolean isBack;
  }

  @ArgGroup private Wish wish;

  @Mixin private StoreOptions options;

  @Override
  public Integer call() throws IOException {
    TablePath place = TablePath.of(path);
    PrintWriter out = spec.commandLine().getOut();
    OutputTable table = OutputTable.of(place.bucket(), place.key());
    try (OpenedBuckets buckets = new OpenedBuckets(options)) {
      Time time = ThisProcess.time();
      StoreStack stack = buckets.stack(table.bucket());
      StoreAccess access =
          new StoreAccess(buckets, stack.pool(), time, stack.engine().unansweredWrites());
      UnfinishedCommits commits = new UnfinishedCommits(access, table);
      Optional<Instant> storeTime = StoreClock.now(stack.commitStore(), table.prefix());
      List<Unfinished> found = commits.find();
      out.println(table);
      if (found.isEmpty()) {
        out.println("  No commit is unfinished.");
        return 0;
      }
      Terminal terminal = new Terminal(spec.commandLine().getErr());
      LifeWatch watch = new LifeWatch(commits, storeTime, time, terminal::progress);
      for (Unfinished commit : found) {
        show(out, commit, watch.silence(commit));
      }
      if (!writes) {
        out.println("\nNothing was done. To do it, add --write.");
        return 1;
      }
      return settle(out, commits, found, watch, terminal) ? 0 : 1;
    } finally {
      out.flush();
    }
  }

  private boolean isSure() {
    return wish != null;
  }

  private Direction direction() {
    if (wish != null && wish.isForward) {
      return Direction.FORWARD;
    }
    return wish != null && wish.isBack ? Direction.BACK : Direction.AUTO;
  }

  private void show(PrintWriter out, Unfinished commit, Optional<Duration> silence) {
    out.println();
    out.print(Wrapped.text("  ", "    ", commit.job().toString()));
    out.print(
        Wrapped.text(
            "    ",
            "    ",
            "%s. %,d of its %,d files are visible (%s in all)%s."
                .formatted(
                    commit.isAlone() ? "Others wait for it" : "An append",
                    commit.visible(),
                    commit.files(),
                    Values.bytes(commit.bytes()),
                    commit.replaced() == 0
                        ? ""
                        : "; old objects to delete: %,d".formatted(commit.replaced()))));
    out.println(
        silence.isPresent()
            ? "    Its last sign of life is %s old.".formatted(Ages.text(silence.get()))
            : "    Its last sign of life was at %s by the store's clock."
                .formatted(commit.touched().truncatedTo(ChronoUnit.SECONDS)));
    out.print(Wrapped.text("    ", "    ", plan(commit)));
  }

  private String plan(Unfinished commit) {
    if (commit.direction(direction()) == Direction.BACK) {
      return "It goes back: none of its files stays visible, and what was there before stays.";
    }
    return commit.lost() == 0
        ? "It goes forward: all its files become visible, and what they replace is deleted."
        : "It goes forward without %,d of its %,d files, whose content only its driver had. They are lost for good; the others become visible, and what the job replaces is deleted."
            .formatted(commit.lost(), commit.files());
  }

  /** Settles the commits. Returns true if none is left. */
  private boolean settle(
      PrintWriter out,
      UnfinishedCommits commits,
      List<Unfinished> found,
      LifeWatch watch,
      Terminal terminal)
      throws IOException {
    out.println();
    boolean isClean = true;
    for (Unfinished commit : found) {
      boolean isAlive = watch.isAlive(commit);
      terminal.clear();
      if (isAlive) {
        out.println("  " + commit.job().id() + " lives, and is left alone.");
        isClean = false;
        continue;
      }
      Settled settled = commits.settle(commit, direction(), isSure());
      out.print(Wrapped.text("  ", "    ", commit.job().id() + ": " + result(commit, settled)));
    }
    return isClean;
  }

  private static String result(Unfinished commit, Settled settled) {
    return switch (settled.end()) {
      case COMMITTED ->
          settled.leftOut() == 0
              ? "committed. All its files are visible."
              : "committed without %,d of its %,d files, which are not there. The others are visible."
                  .formatted(settled.leftOut(), commit.files());
      case ROLLED_BACK -> "rolled back. Run the job again.";
      case GONE -> "had come to its end by itself.";
    };
  }
}
