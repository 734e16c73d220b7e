/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static io.penstock.tables.finding.Severity.CORRUPTS;
import static io.penstock.tables.finding.Severity.STOPS;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.CheckpointFacts.SinkFacts;
import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.EntriesLog;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.tables.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the logs that list data files: the logs of file sources and of the file sink. */
public final class EntriesJudge {
  private static final String RESTORE =
      "Restore the file from a backup or from the bucket's older versions.";

  private EntriesJudge() {}

  /** Returns the findings about these logs. */
  public static List<Finding> judge(CheckpointFacts facts) {
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, BatchLog> source : facts.layout().sources().entrySet()) {
      String where = "sources/" + source.getKey() + "/";
      Read<EntriesLog> newest = facts.sources().get(source.getKey());
      // Sources other than file sources may write any files there, so gaps in the numbers mean
      // nothing.
      boolean isOfFiles = newest != null;
      if (isOfFiles) {
        findings.addAll(
            log(
                where,
                source.getValue(),
                newest,
                "The source fails when it starts, because it needs this file."));
      }
      empty(where, source.getValue(), isOfFiles, findings);
    }
    facts.sink().ifPresent(sink -> findings.addAll(sink(facts, sink)));
    return findings;
  }

  /** Checks the log of a file sink without a checkpoint. */
  public static List<Finding> sinkLog(SinkFacts sink) {
    return sink.newest().isEmpty()
        ? List.of()
        : log(
            sink.where(),
            sink.log(),
            sink.newest().get(),
            "Readers of the directory fail, and the query fails at the next compaction.");
  }

  private static List<Finding> log(
      String where, BatchLog log, Read<EntriesLog> newest, String meaning) {
    List<Finding> findings = new ArrayList<>();
    for (BatchLog.Gap gap : log.gapsForReaders()) {
      findings.add(
          new Finding(
              STOPS, "A log that lists data files has a gap.", where + gap, meaning, RESTORE));
    }
    if (newest.isBad()) {
      findings.add(
          new Finding(
              STOPS,
              "The newest file of a log that lists data files cannot be read.",
              where + log.files().lastEntry().getValue().name(),
              "The file " + newest.problem().get() + ". " + meaning,
              RESTORE));
    }
    return findings;
  }

  private static void empty(String where, BatchLog log, boolean isOfFiles, List<Finding> findings) {
    for (StoredFile file : log.files().values()) {
      boolean isNewest = file.equals(log.files().lastEntry().getValue());
      if (file.sizeBytes() == 0 && !(isOfFiles && isNewest)) {
        findings.add(
            new Finding(
                STOPS,
                "A source's file is empty.",
                where + file.name(),
                "The source fails when it starts, because it needs this file.",
                RESTORE));
      }
    }
  }

  private static List<Finding> sink(CheckpointFacts facts, SinkFacts sink) {
    List<Finding> findings = new ArrayList<>(sinkLog(sink));
    long written = sink.log().newest().orElse(-1L);
    long planned = facts.layout().offsets().newest().orElse(-1L);
    long committed = facts.layout().commits().newest().orElse(-1L);
    if (written > planned) {
      findings.add(
          new Finding(
              CORRUPTS,
              "The sink has batches that the checkpoint does not know.",
              sink.where() + written,
              "The sink considers these batches done, so it silently drops the rows of batches %d to %d."
                  .formatted(planned + 1, written),
              "Give the query another output directory, or use the checkpoint that belongs to this"
                  + " directory."));
    } else if (written < committed) {
      findings.add(
          new Finding(
              CORRUPTS,
              "The sink does not have the newest batch that was committed.",
              sink.where(),
              written < 0
                  ? "The directory has no log: the query does not write files here, or its log is"
                      + " gone. Then readers will see only what the query writes from now on."
                  : "Readers do not see batches %d to %d.".formatted(written + 1, committed),
              "Make sure that this is the query's output directory. " + RESTORE));
    }
    return findings;
  }
}
