/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static io.penstock.tables.finding.Severity.CORRUPTS;
import static io.penstock.tables.finding.Severity.NOTICE;
import static io.penstock.tables.finding.Severity.STOPS;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.Resume;
import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.BatchLog.Gap;
import io.penstock.checkpoints.log.CommitEntry;
import io.penstock.checkpoints.log.OffsetsEntry;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.core.checkpoint.LogOffsets;
import io.penstock.core.checkpoint.LogOffsets.Backward;
import io.penstock.tables.finding.Finding;
import io.penstock.tables.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks the files that every query has: its id, its offsets and its commits. */
public final class LogJudge {
  private static final String REPAIR =
      "Run 'penstock checkpoint repair'; it says whether a repair is safe.";
  private static final String BACKUP = restore("the file");

  private final CheckpointFacts facts;
  private final List<Finding> findings = new ArrayList<>();

  private LogJudge(CheckpointFacts facts) {
    this.facts = facts;
  }

  /** Returns the findings about these files. */
  public static List<Finding> judge(CheckpointFacts facts) {
    LogJudge judge = new LogJudge(facts);
    judge.id();
    judge.newestOffsets();
    judge.previousOffsets();
    judge.newestCommit();
    judge.order();
    judge.gaps("offsets", facts.layout().offsets());
    judge.gaps("commits", facts.layout().commits());
    judge.old("offsets", facts.offsets(), 2);
    judge.old("commits", facts.commits(), 1);
    judge.strangers();
    return judge.findings;
  }

  private static String restore(String what) {
    return "Restore %s from a backup or from the bucket's older versions. If you have no copy, start the query on a new checkpoint."
        .formatted(what);
  }

  private void add(Severity severity, String what, String where, String meaning, String advice) {
    findings.add(new Finding(severity, what, where, meaning, advice));
  }

  private void id() {
    Optional<Long> planned = facts.layout().offsets().newest();
    if (facts.queryId().isEmpty()) {
      if (planned.isPresent()) {
        add(
            facts.resume().how() == Resume.Case.NEXT ? NOTICE : CORRUPTS,
            "The query's id is missing.",
            "metadata",
            "Spark gives the query a new id. A sink that recognises a repeated batch by the query's"
                + " id, as Delta does, writes the unfinished batch twice.",
            "Restore the file if you have a copy. If you know the id, you can write the file again:"
                + " {\"id\":\"…\"} is its whole content.");
      }
    } else if (facts.queryId().get().isBad()) {
      add(
          STOPS,
          "The query's id cannot be read.",
          "metadata",
          "The file " + facts.queryId().get().problem().get() + ". The query does not start.",
          planned.isEmpty()
              ? REPAIR
              : "Write {\"id\":\"…\"} into the file, with the id from an old log line or progress"
                  + " event.");
    }
  }

  private void newestOffsets() {
    Optional<Long> newest = facts.layout().offsets().newest();
    if (newest.isEmpty()) {
      if (facts.layout().commits().newest().isPresent() || facts.isStateful()) {
        add(
            STOPS,
            "There are no offsets.",
            "offsets/",
            "It is not known what the query has read. The query would start from the beginning, but"
                + " Spark 4 refuses to start it, because there are commits or state.",
            BACKUP);
      }
      return;
    }
    Read<OffsetsEntry> read = facts.offsets().get(newest.get());
    String where = "offsets/" + newest.get();
    if (read.isBad()) {
      add(
          STOPS,
          "The newest offsets cannot be read.",
          where,
          "The file " + read.problem().get() + ". The query does not start.",
          REPAIR);
    }
    unknown(read, where);
    read.value().ifPresent(offsets -> sourceLogs(newest.get(), offsets.logs()));
  }

  /** Checks that the logs of file sources have the entries that the newest offsets name. */
  private void sourceLogs(long batch, LogOffsets logs) {
    new TreeMap<>(logs.entries())
        .forEach(
            (source, entry) -> {
              long newest = facts.newestEntry(source);
              if (newest < entry) {
                add(
                    STOPS,
                    "The log of a file source has lost entries.",
                    "sources/%s/".formatted(source),
                    "Batch %d reads the log up to entry %d, but %s. The query does not start, or skips files that it has not read."
                        .formatted(
                            batch,
                            entry,
                            newest < 0 ? "the log has none" : "the newest is " + newest),
                    restore("sources/%s/".formatted(source)));
              }
            });
  }

  private void previousOffsets() {
    Optional<Long> newest = facts.layout().offsets().newest();
    if (newest.isEmpty() || newest.get() == 0) {
      return;
    }
    long previous = newest.get() - 1;
    String where = "offsets/" + previous;
    Read<OffsetsEntry> read = facts.offsets().get(previous);
    if (read == null) {
      missingPrevious(previous, where);
    } else if (read.isBad()) {
      add(
          STOPS,
          "The offsets before the newest cannot be read.",
          where,
          "The file "
              + read.problem().get()
              + ". Spark starts from this file, so the query does not start.",
          BACKUP);
    } else if (differInSources(read, facts.offsets().get(newest.get()))) {
      add(
          STOPS,
          "The newest two batches have different numbers of sources.",
          "offsets/" + newest.get(),
          "One of the two files was cut off at the end of a line, or belongs to another query. The"
              + " query does not start.",
          BACKUP);
    }
    facts.backward().ifPresent(backward -> goesBack(newest.get(), backward));
  }

  private void goesBack(long batch, Backward backward) {
    boolean hasLost = facts.hasLost(backward);
    add(
        STOPS,
        "The newest offsets are older than those before them.",
        "offsets/" + batch,
        "The batch would go back %s. Spark fails an assertion in FileStreamSource.getBatch at each"
                .formatted(backward)
            + " start. "
            + (hasLost
                ? "The log has lost that entry."
                : "This happens when two runs use a checkpoint at once, without Penstock or with an"
                    + " old version of Penstock."),
        hasLost ? restore("sources/%s/".formatted(backward.source())) : REPAIR);
  }

  private void missingPrevious(long previous, String where) {
    if (facts.beforeHole().isPresent()) {
      add(
          STOPS,
          "The offsets before the newest are missing.",
          where,
          "Spark starts from these offsets, so the query does not start; one with"
              + " asyncProgressTracking would. Nothing after batch %d has a commit."
                  .formatted(facts.beforeHole().get()),
          REPAIR);
      return;
    }
    boolean mayBeAsync = facts.mayBeAsync() && !facts.layout().commits().has(previous);
    add(
        mayBeAsync ? NOTICE : STOPS,
        "The offsets before the newest are missing.",
        where,
        mayBeAsync
            ? "A query with asyncProgressTracking writes only some offsets. Any other query does"
                + " not start without them."
            : "Spark starts from these offsets, so the query does not start.",
        mayBeAsync ? "Nothing is needed if the query has asyncProgressTrackingEnabled." : BACKUP);
  }

  private static boolean differInSources(Read<OffsetsEntry> a, Read<OffsetsEntry> b) {
    return a.value().isPresent()
        && b.value().isPresent()
        && a.value().get().sources() != b.value().get().sources();
  }

  private void newestCommit() {
    Optional<Long> newest = facts.layout().commits().newest();
    if (newest.isEmpty()) {
      return;
    }
    Read<CommitEntry> read = facts.commits().get(newest.get());
    String where = "commits/" + newest.get();
    if (read.isBad()) {
      add(
          STOPS,
          "The newest commit cannot be read.",
          where,
          "The file " + read.problem().get() + ". The query does not start.",
          REPAIR);
    } else if (read.value().isPresent() && !read.value().get().hasJson()) {
      add(
          CORRUPTS,
          "The newest commit has lost its watermark.",
          where,
          "The file ends after its first line. Spark then starts with a watermark of 0: late rows"
              + " may be accepted until the watermark advances.",
          "Nothing is needed if the query has no watermark. Otherwise restore the file.");
    }
    unknown(read, where);
  }

  private void order() {
    long planned = facts.layout().offsets().newest().orElse(-1L);
    long committed = facts.layout().commits().newest().orElse(-1L);
    if (facts.beforeHole().isPresent()) {
      return; // It has a finding of its own.
    }
    if (facts.resume().how() == Resume.Case.LAGGING
        && facts.mayBeAsync()
        && !facts.layout().offsets().has(planned - 1)) {
      add(
          NOTICE,
          "Batches have no commit.",
          "commits/%d to %d".formatted(committed + 1, planned),
          "A query with asyncProgressTracking commits only some batches, and reads again from the"
              + " last commit.",
          "Nothing is needed if the query has asyncProgressTrackingEnabled.");
    } else if (facts.resume().how() == Resume.Case.LAGGING) {
      add(
          facts.hasStateIds() ? STOPS : CORRUPTS,
          "More than one batch has no commit.",
          "commits/" + uncommitted(committed),
          "When Spark starts, it runs only batch %d again. If the other batches without a commit had not finished, their rows are lost."
                  .formatted(planned)
              + (facts.hasStateIds()
                  ? " The query's commits name the versions of its state, so the query stops."
                  : ""),
          "Find out whether the sink has those batches. Lost commits can be restored; do not delete"
              + " offsets unless the sink has none of the rows of those batches.");
    } else if (facts.resume().how() == Resume.Case.AHEAD && planned >= 0) {
      add(
          STOPS,
          "A committed batch has no offsets.",
          "commits/" + committed,
          "The offsets after batch %d are gone. Spark runs that batch again and fails when it commits the batch."
              .formatted(planned),
          BACKUP);
    }
  }

  /** Returns the batches after the last commit that have offsets, such as "1, 2, 4". */
  private String uncommitted(long committed) {
    List<Long> batches =
        facts.layout().offsets().files().keySet().stream()
            .filter(batch -> batch > committed)
            .sorted()
            .toList();
    boolean isOneRun = batches.get(batches.size() - 1) - batches.get(0) == batches.size() - 1;
    return isOneRun
        ? "%d to %d".formatted(batches.get(0), batches.get(batches.size() - 1))
        : batches.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private void gaps(String name, BatchLog log) {
    long newest = log.newest().orElse(0L);
    for (Gap gap : log.gaps()) {
      if (name.equals("offsets") && gap.last() == newest - 1) {
        continue; // That one is needed, and has a finding of its own.
      }
      add(
          NOTICE,
          "Batches are missing from the " + name + ".",
          name + "/" + gap,
          "Spark starts from the newest files and does not need the missing ones. A query with"
              + " asyncProgressTracking leaves such gaps.",
          "Nothing.");
    }
  }

  /** Adds a finding for each damaged file that Spark does not read when it starts. */
  private <T> void old(String name, NavigableMap<Long, Read<T>> reads, int used) {
    for (Map.Entry<Long, Read<T>> entry :
        reads.descendingMap().entrySet().stream().skip(used).toList()) {
      if (entry.getValue().isBad()) {
        add(
            NOTICE,
            "An older file of the " + name + " cannot be read.",
            name + "/" + entry.getKey(),
            "The file " + entry.getValue().problem().get() + ". Spark does not look at it.",
            "Nothing is needed; Spark deletes the file later.");
      }
    }
  }

  private <T> void unknown(Read<T> read, String where) {
    if (read.unknown().isPresent()) {
      add(
          NOTICE,
          "A file was not judged.",
          where,
          "It was not read: " + read.unknown().get() + ".",
          "Check again when no query is running. If this finding remains, look at the file.");
    }
  }

  private void strangers() {
    for (StoredFile file : facts.layout().strangers()) {
      add(
          NOTICE,
          "A file in a log directory is not named after a batch.",
          file.path(),
          "Spark does not look at it.",
          "Remove the file if you know where it comes from.");
    }
  }
}
