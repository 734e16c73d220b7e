/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.recover;

import io.penstock.cli.print.Ages;
import io.penstock.cli.print.Terminal;
import io.penstock.cli.print.Wrapped;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.TablePath;
import io.penstock.core.commit.CommitConfig.Direction;
import io.penstock.core.commit.Stores;
import io.penstock.core.commit.Table;
import io.penstock.core.commit.UnfinishedCommits;
import io.penstock.core.commit.UnfinishedCommits.Settled;
import io.penstock.core.commit.UnfinishedCommits.Unfinished;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        "Shows the commits at a table that have not come to their end, because their driver died"
            + " or is still at work, and what would become of them. With --write it ends those of"
            + " dead drivers: all files of the job become visible, or none. The next job on the"
            + " table does the same by itself.",
    mixinStandardHelpOptions = true,
    footer = {"", "Exit codes: 0 no commit is unfinished (any more), 1 one is, 2 wrong usage."})
public final class RecoverCommand implements Callable<Integer> {
  /**
   * The age after which a job is certainly dead. A store refuses requests of clients whose clocks
   * are off by more than 15 minutes.
   */
  private static final Duration SURELY_DEAD = UnfinishedCommits.LEASE.plusMinutes(16);

  private static final Duration LOOK = Duration.ofSeconds(5);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The table: s3://BUCKET/PREFIX.")
  private String path;

  @Option(names = "--write", description = "Do what is shown.")
  private boolean writes;

  /** The requested direction. At most one may be given. */
  static final class Wish {
    @Option(
        names = "--forward",
        description =
            "Make all files of the jobs visible. Files that are gone for good are left out.")
    private boolean isForward;

    @Option(names = "--back", description = "Delete what is visible of the jobs.")
    private boolean isBack;
  }

  @ArgGroup private Wish wish;

  @Mixin private StoreOptions options;

  private final Time time = SystemTime.INSTANCE;

  @Override
  public Integer call() throws IOException {
    TablePath place = TablePath.of(path);
    PrintWriter out = spec.commandLine().getOut();
    Table table = Table.of(place.bucket(), place.key());
    Map<String, StoreStack> opened = new HashMap<>();
    try {
      StoreStack stack = stack(opened, table.bucket());
      Stores stores = bucket -> store(opened, bucket);
      UnfinishedCommits commits = new UnfinishedCommits(stores, stack.pool(), time, table);
      List<Unfinished> found = commits.find();
      out.println(table);
      if (found.isEmpty()) {
        out.println("  No commit is unfinished.");
        return 0;
      }
      for (Unfinished commit : found) {
        show(out, commit);
      }
      if (!writes) {
        out.println("\nNothing was done. To do it, add --write.");
        return 1;
      }
      return settle(out, commits, found) ? 0 : 1;
    } finally {
      out.flush();
      opened.values().forEach(StoreStack::close);
    }
  }

  private ObjectStore store(Map<String, StoreStack> opened, String bucket) throws IOException {
    return stack(opened, bucket).commitStore();
  }

  private synchronized StoreStack stack(Map<String, StoreStack> opened, String bucket)
      throws IOException {
    StoreStack stack = opened.get(bucket);
    if (stack == null) {
      stack = options.open(bucket);
      opened.put(bucket, stack);
    }
    return stack;
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

  private void show(PrintWriter out, Unfinished commit) {
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
    out.println("    Its last sign of life is %s old.".formatted(Ages.text(age(commit))));
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

  private Duration age(Unfinished commit) {
    return Duration.between(commit.touched(), time.now());
  }

  /** Settles the commits. Returns true if none is left. */
  private boolean settle(PrintWriter out, UnfinishedCommits commits, List<Unfinished> found)
      throws IOException {
    out.println();
    boolean isClean = true;
    for (Unfinished commit : found) {
      if (isAlive(commits, commit)) {
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

  /** Watches a commit for as long as a live job needs to show activity. */
  private boolean isAlive(UnfinishedCommits commits, Unfinished commit) throws IOException {
    if (age(commit).compareTo(SURELY_DEAD) > 0) {
      return false;
    }
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    long startNanos = time.nowNanos();
    Duration watched = Duration.ZERO;
    while (watched.compareTo(UnfinishedCommits.LEASE) < 0) {
      terminal.progress(
          "watching for %d s whether job %s lives"
              .formatted(
                  UnfinishedCommits.LEASE.minus(watched).toSeconds() + 1, commit.job().id()));
      try {
        time.sleep(LOOK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
      Optional<Instant> now = commits.touched(commit);
      if (now.isEmpty() || !now.get().equals(commit.touched())) {
        terminal.clear();
        return now.isPresent();
      }
      watched = Duration.ofNanos(time.nowNanos() - startNanos);
    }
    terminal.clear();
    return false;
  }
}
