/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.uploads;

import io.penstock.cli.print.Ages;
import io.penstock.cli.print.FindingsText;
import io.penstock.cli.print.Terminal;
import io.penstock.cli.store.StoreClock;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.TablePath;
import io.penstock.cli.store.ThisProcess;
import io.penstock.core.commit.UnfinishedCommits;
import io.penstock.core.commit.UnfinishedCommits.Owner;
import io.penstock.core.commit.UploadsInProgress;
import io.penstock.core.commit.UploadsInProgress.InProgress;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.config.Durations;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.time.Time;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock uploads}: shows uploads in progress and aborts abandoned ones. */
@Command(
    name = "uploads",
    description =
        "Shows the multipart uploads in progress under a path, grouped by the job that began them:"
            + " the uploads of running jobs, and uploads that dead jobs have left behind. Listings"
            + " of objects do not show uploads, but uploads are billed like objects. With --job or"
            + " --older-than, shows which uploads would be aborted; with --write, aborts them"
            + " too.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A running job fails when its uploads are aborted. Uploads of an unfinished commit are kept,"
          + " except uploads to a partition whose location is outside its table. So first end the"
          + " table's commits with 'penstock recover'.",
      "MinIO lists uploads only for a complete key, so this command finds no uploads on MinIO."
    })
public final class UploadsCommand implements Callable<Integer> {
  private static final String NO_JOB = "(no job id)";
  private static final int JOBS_SHOWN = 20;
  private static final int STEP = 1_000;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "s3://BUCKET/PREFIX, or s3://BUCKET for the whole bucket.")
  private String path;

  @Option(names = "--job", paramLabel = "ID", description = "Abort the uploads of this job.")
  private String job;

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      description = "Abort uploads that are older than AGE, such as 12h or 7d.")
  private String olderThan;

  @Option(
      names = "--all",
      description =
          "With --older-than: also abort uploads without a job id, which other programs may"
              + " have begun.")
  private boolean isForAll;

  @Option(names = "--write", description = "Carry out what is shown.")
  private boolean writes;

  @Option(names = "--each", description = "Show a line for each upload, not only for each job.")
  private boolean showsEach;

  @Option(
      names = "--no-sizes",
      description = "Leave out the sizes. They need one request for each upload.")
  private boolean hasNoSizes;

  @Option(
      names = "--price",
      paramLabel = "DOLLARS",
      defaultValue = "0.023",
      description =
          "Price of one GiB for one month. Default: ${DEFAULT-VALUE} (S3 Standard in us-east-1).")
  private double price;

  @Mixin private StoreOptions options;

  /** By the store's clock, if the store tells it: uploads have times by this clock. */
  private Instant now;

  @Override
  public Integer call() throws IOException {
    TablePath place = TablePath.of(path);
    if (writes && job == null && olderThan == null) {
      throw new IllegalArgumentException(
          "--write needs to know which uploads to abort: add --job ID or --older-than AGE");
    }
    Optional<Duration> age = Optional.ofNullable(olderThan).map(UploadsCommand::age);
    String prefix = place.key().isEmpty() ? "" : place.key() + "/";
    PrintWriter out = spec.commandLine().getOut();
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    try (StoreStack stack = options.open(place.bucket())) {
      Time time = ThisProcess.time();
      UploadsInProgress uploads = new UploadsInProgress(stack.store(), stack.pool(), time);
      now = StoreClock.now(stack.store(), prefix).orElseGet(time::now);
      terminal.progress("listing uploads under " + path);
      List<InProgress> found =
          uploads.find(prefix, !hasNoSizes, count -> tell(terminal, "%,d sizes known", count));
      terminal.clear();
      show(out, found);
      if (found.isEmpty() && !stack.store().traits().listsUploadsByPrefix()) {
        out.println("(Some stores, as MinIO does, list an upload only if PATH is its whole key.)");
      }
      if (job == null && age.isEmpty()) {
        return 0;
      }
      List<InProgress> chosen = found.stream().filter(one -> isChosen(one, age)).toList();
      return abort(out, terminal, uploads, chosen);
    } finally {
      out.flush();
    }
  }

  private static Duration age(String text) {
    if (!text.matches(".*[a-z]")) {
      throw new IllegalArgumentException("--older-than " + text + " has no unit: write 12h or 7d");
    }
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--older-than " + text + " is not an age: write 12h or 7d", e);
    }
  }

  private static void tell(Terminal terminal, String format, long count) {
    if (count % STEP == 0) {
      synchronized (terminal) {
        terminal.progress(format.formatted(count));
      }
    }
  }

  private boolean isChosen(InProgress one, Optional<Duration> age) {
    if (job == null && one.job().isEmpty() && !isForAll) {
      return false;
    }
    boolean isOld = age.isEmpty() || ageOf(one.created()).compareTo(age.get()) >= 0;
    return isOld && (job == null || one.job().equals(Optional.of(job)));
  }

  /** Stores tell their time in whole seconds, so it may lie before that of a new upload. */
  private Duration ageOf(Instant created) {
    Duration age = Duration.between(created, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  private void show(PrintWriter out, List<InProgress> found) {
    if (found.isEmpty()) {
      out.println(path + ": no upload is in progress.");
      return;
    }
    out.println("%s: %s in progress%s".formatted(path, count(found), total(found)));
    out.println();
    Map<String, List<InProgress>> byJob =
        found.stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.job().orElse(NO_JOB), TreeMap::new, Collectors.toList()));
    AlignedRows table = new AlignedRows("job", "uploads", "size", "oldest", "commit");
    byJob.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                entry -> -Math.max(bytes(entry.getValue()), entry.getValue().size())))
        .limit(JOBS_SHOWN)
        .forEach(entry -> row(table, entry.getKey(), entry.getValue()));
    out.print(table);
    if (byJob.size() > JOBS_SHOWN) {
      out.println("and %,d jobs with less".formatted(byJob.size() - JOBS_SHOWN));
    }
    if (showsEach) {
      out.println();
      found.forEach(
          one ->
              out.println(
                  "%10s %8s  %s"
                      .formatted(
                          one.sizeBytes().isPresent()
                              ? Values.bytes(one.sizeBytes().getAsLong())
                              : "-",
                          Ages.text(ageOf(one.created())),
                          FindingsText.visible(one.upload().key()))));
    }
  }

  private void row(AlignedRows table, String name, List<InProgress> uploads) {
    Instant oldest =
        uploads.stream().map(InProgress::created).min(Comparator.naturalOrder()).orElseThrow();
    table.row(
        name,
        Values.count(uploads.size()),
        hasNoSizes ? "-" : Values.bytes(bytes(uploads)),
        Ages.text(ageOf(oldest)),
        uploads.stream()
            .flatMap(one -> one.commit().stream())
            .findFirst()
            .map(this::stage)
            .orElse("none"));
  }

  private String stage(Owner owner) {
    if (owner.decision().isPresent()) {
      return owner.decision().get() == Direction.FORWARD ? "forward" : "back";
    }
    return ageOf(owner.touched()).compareTo(UnfinishedCommits.LEASE) <= 0 ? "at work" : "silent";
  }

  private String total(Collection<InProgress> uploads) {
    return hasNoSizes
        ? ""
        : ", %s, $%s a month".formatted(Values.bytes(bytes(uploads)), dollars(bytes(uploads)));
  }

  private static String count(Collection<InProgress> uploads) {
    return uploads.size() == 1 ? "1 upload" : "%,d uploads".formatted(uploads.size());
  }

  private static long bytes(Collection<InProgress> uploads) {
    return uploads.stream().mapToLong(one -> one.sizeBytes().orElse(0)).sum();
  }

  private String dollars(long bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / (double) (1L << 30) * price);
  }

  private int abort(
      PrintWriter out, Terminal terminal, UploadsInProgress uploads, List<InProgress> chosen)
      throws IOException {
    List<InProgress> free = chosen.stream().filter(one -> one.commit().isEmpty()).toList();
    out.println();
    if (free.size() < chosen.size()) {
      out.println(
          "%,d of them are part of an unfinished commit and stay. To end it:"
              .formatted(chosen.size() - free.size()));
      chosen.stream()
          .flatMap(one -> one.commit().stream())
          .map(owner -> "  penstock recover " + owner.table())
          .distinct()
          .forEach(out::println);
    }
    if (free.isEmpty()) {
      out.println("There is none to abort.");
      return 0;
    }
    if (!writes) {
      out.println("Would abort %s%s. To do it, add --write.".formatted(count(free), total(free)));
      return 0;
    }
    long aborted = uploads.abort(free, count -> tell(terminal, "%,d aborted", count));
    terminal.clear();
    out.println("Aborted %s%s.".formatted(count(free), total(free)));
    if (aborted < free.size()) {
      out.println(
          "But %,d of them, whose job has begun to commit meanwhile."
              .formatted(free.size() - aborted));
    }
    return 0;
  }
}
