/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import io.penstock.cli.input.TableOptions;
import io.penstock.cli.print.Terminal;
import io.penstock.cli.print.Wrapped;
import io.penstock.cli.store.OpenedBuckets;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.TablePath;
import io.penstock.cli.store.ThisProcess;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.history.TableHistory.Known;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Places;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock history}: shows the commits of a table. */
@Command(
    name = "history",
    description =
        "Shows the commits of a table in a bucket that keeps versions: when each ended, what it"
            + " added and replaced, and which job it was. With COMMIT, shows that one in detail. A"
            + " commit is known for as long as the bucket keeps the versions of deleted objects.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "'penstock undo PATH COMMIT' takes a commit back.",
      "Exit codes: 0 success, 1 failure, 2 wrong usage."
    })
public final class HistoryCommand implements Callable<Integer> {
  private static final int LAST = 20;
  private static final int DIRECTORIES_SHOWN = 20;

  private static final DateTimeFormatter MINUTE = time("uuuu-MM-dd HH:mm");
  static final DateTimeFormatter SECOND = time("uuuu-MM-dd HH:mm:ss 'UTC'");

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PATH", description = "The table: s3://BUCKET/PREFIX.")
  private String path;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "COMMIT",
      description = "The beginning of a job's id, or 'last'.")
  private String name;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Number of commits to show, the newest. Default: " + LAST + ".")
  private int last = LAST;

  @Mixin private TableOptions format;

  @Mixin private StoreOptions options;

  /** What is shown of a commit. */
  private record Facts(Optional<Intent> intent, Optional<Replaced> replaced) {
    CommitTable.Row row(PastCommit commit) {
      return new CommitTable.Row(commit, what(commit, this), intent, replaced);
    }
  }

  private static DateTimeFormatter time(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  @Override
  public Integer call() throws IOException {
    if (last < 1) {
      throw new IllegalArgumentException("--last must be at least 1, got " + last);
    }
    TablePath place = TablePath.of(path);
    PrintWriter out = spec.commandLine().getOut();
    OutputTable table = place.table();
    try (OpenedBuckets buckets = new OpenedBuckets(options)) {
      Terminal terminal = new Terminal(spec.commandLine().getErr());
      terminal.progress("reading the history of " + table);
      StoreStack stack = buckets.stack(table.bucket());
      TableHistory history = new TableHistory(buckets, table, stack.pool());
      Instant now = ThisProcess.time().now();
      CommitsOfTable commits = new CommitsOfTable(history, table, now);
      if (name == null) {
        Known known = commits.newest(last);
        show(out, terminal, table, known, buckets);
      } else {
        PastCommit commit = commits.named(name);
        Known known = history.since(commit.began());
        terminal.clear();
        Facts facts = facts(known, commit);
        if (format.isText()) {
          out.println(table);
          detail(out, commit, facts);
        } else {
          format.print(List.of(CommitTable.of(List.of(facts.row(commit)))), out);
        }
      }
      return 0;
    } finally {
      out.flush();
    }
  }

  private void show(
      PrintWriter out, Terminal terminal, OutputTable table, Known known, OpenedBuckets buckets)
      throws IOException {
    Lanes pool = buckets.stack(table.bucket()).pool();
    ObjectStore store = buckets.of(table.bucket());
    List<PastCommit> all = known.commits();
    List<PastCommit> shown = all.subList(Math.max(0, all.size() - last), all.size());
    Map<PastCommit, Facts> facts = new ConcurrentHashMap<>();
    Parallel.untilFailureIn(
        commit -> pool.reads(table.bucket(), table.prefix()),
        shown,
        commit -> facts.put(commit, facts(known, commit)));
    terminal.clear();
    if (!format.isText()) {
      List<CommitTable.Row> rows =
          shown.stream().map(commit -> facts.get(commit).row(commit)).toList();
      format.print(List.of(CommitTable.of(rows)), out);
      return;
    }
    out.println(table);
    if (shown.isEmpty() && known.hasVersions()) {
      out.print(
          Wrapped.text(
              "  ",
              "  ",
              "No commit is known: the bucket has not kept the versions that would tell."));
      return;
    }
    if (shown.isEmpty()) {
      showFiles(out, terminal, store, table);
      return;
    }
    out.println();
    int length = CommitsOfTable.lengthOfNames(shown);
    AlignedRows rows =
        new AlignedRows("commit", "ended (UTC)", "what", "files", "rows", "size", "replaced");
    for (PastCommit commit : shown) {
      Facts its = facts.get(commit);
      rows.row(
          CommitsOfTable.shortName(commit.job(), length),
          commit.ended().map(MINUTE::format).orElse(Values.NONE),
          what(commit, its),
          its.intent().map(one -> Values.count(one.files().size())).orElse(Values.NONE),
          its.intent().map(HistoryCommand::rows).orElse(Values.NONE),
          its.intent().map(one -> Values.bytes(bytes(one))).orElse(Values.NONE),
          its.replaced().map(one -> Values.count(one.old().size())).orElse(Values.NONE));
    }
    out.print(rows);
    if (all.size() > shown.size()) {
      out.println("\n  Older ones: --last N");
    }
  }

  /** Shows what the names of the files tell. */
  private void showFiles(PrintWriter out, Terminal terminal, ObjectStore store, OutputTable table)
      throws IOException {
    FilesByJob files =
        FilesByJob.list(
            store,
            table.prefix(),
            count -> terminal.progress("%,d objects listed".formatted(count)));
    terminal.clear();
    out.print(
        Wrapped.text(
            "  ",
            "  ",
            "No commit is known. A table's history is in the versions of hidden objects, so the"
                + " bucket must keep versions, and the jobs must commit with Penstock."));
    if (files.hasLog()) {
      out.println("  This is the table of a format that has a history of its own.");
      return;
    }
    if (files.jobs().isEmpty()) {
      return;
    }
    out.println("\n  The files that are there tell by their names:\n");
    List<FilesByJob.Job> all = files.jobs();
    List<FilesByJob.Job> newest = all.subList(Math.max(0, all.size() - last), all.size());
    AlignedRows rows = new AlignedRows("job", "last file (UTC)", "files", "size");
    for (FilesByJob.Job job : newest) {
      rows.row(
          job.id(),
          MINUTE.format(job.last()),
          Values.count(job.files()),
          Values.bytes(job.bytes()));
    }
    out.print(rows);
    if (all.size() > newest.size()) {
      out.println("\n  and %s: --last N".formatted(count(all.size() - newest.size(), "older job")));
    }
    if (files.others() > 0) {
      out.println("\n  and %s without an id in the name".formatted(count(files.others(), "file")));
    }
  }

  /** Returns a number of things in words. */
  static String count(long number, String one) {
    String many = one.endsWith("y") ? one.substring(0, one.length() - 1) + "ies" : one + "s";
    return Values.count(number) + " " + (number == 1 ? one : many);
  }

  private static Facts facts(Known known, PastCommit commit) throws IOException {
    return new Facts(known.intent(commit), known.replaced(commit));
  }

  private static String what(PastCommit commit, Facts facts) {
    return switch (commit.end()) {
      case UNDONE -> "no change";
      case OPEN -> "not ended";
      case UNKNOWN -> "unknown";
      case DONE -> commit.isUndo() ? "undo" : kind(commit, facts);
    };
  }

  private static String kind(PastCommit commit, Facts facts) {
    boolean isOverwrite = facts.replaced().filter(one -> !one.old().isEmpty()).isPresent();
    return isOverwrite || commit.isAlone() ? "overwrite" : "append";
  }

  private static String rows(Intent intent) {
    return intent.rows().isPresent() ? Values.count(intent.rows().getAsLong()) : Values.NONE;
  }

  private static long bytes(Intent intent) {
    return intent.files().stream().mapToLong(TaskFile::sizeBytes).sum();
  }

  private static void detail(PrintWriter out, PastCommit commit, Facts facts) {
    out.println("\n  " + commit.job());
    String end =
        switch (commit.end()) {
          case DONE -> "ended at " + SECOND.format(commit.ended().orElseThrow());
          case UNDONE ->
              "failed, or had nothing to do, at " + SECOND.format(commit.ended().orElseThrow());
          case OPEN -> "has not ended";
          case UNKNOWN -> "the bucket has not kept how it ended";
        };
    out.println("    %s, %s".formatted(what(commit, facts), end));
    commit.undoes().ifPresent(other -> out.println("    takes back " + other));
    if (facts.intent().isEmpty()) {
      out.println("    The bucket has not kept which files belong to it.");
      return;
    }
    Intent intent = facts.intent().get();
    out.print(Wrapped.text("    ", "    ", "by " + intent.job()));
    facts.row(commit).user().ifPresent(user -> out.println("    for the user " + user));
    intent.name().ifPresent(id -> out.println("    id " + Values.visible(id.toString())));
    out.println(
        "    added %s, %s%s"
            .formatted(
                count(intent.files().size(), "file"),
                Values.bytes(bytes(intent)),
                intent.rows().isPresent() ? ", " + rows(intent) + " rows" : ""));
    int replaced = facts.replaced().map(one -> one.old().size()).orElse(0);
    out.println("    replaced " + count(replaced, "object") + "\n");
    out.print(directories(intent, facts.replaced().orElse(Replaced.NOTHING)));
  }

  private static String directories(Intent intent, Replaced replaced) {
    Map<String, int[]> counts = new TreeMap<>();
    intent
        .files()
        .forEach(
            file -> counts.computeIfAbsent(directory(ObjectKey.of(file)), d -> new int[2])[0]++);
    replaced
        .old()
        .keySet()
        .forEach(key -> counts.computeIfAbsent(directory(key), d -> new int[2])[1]++);
    AlignedRows rows = new AlignedRows("directory", "added", "replaced");
    List<Map.Entry<String, int[]>> all = new ArrayList<>(counts.entrySet());
    all.stream()
        .limit(DIRECTORIES_SHOWN)
        .forEach(
            one ->
                rows.row(
                    Values.cut(Values.visible(one.getKey()), 58),
                    Values.count(one.getValue()[0]),
                    Values.count(one.getValue()[1])));
    String more =
        all.size() > DIRECTORIES_SHOWN
            ? "  and %s more\n".formatted(count(all.size() - DIRECTORIES_SHOWN, "directory"))
            : "";
    return all.isEmpty() ? "" : rows + more;
  }

  private static String directory(ObjectKey key) {
    return "s3://" + key.bucket() + "/" + Places.directory(key.key());
  }
}
