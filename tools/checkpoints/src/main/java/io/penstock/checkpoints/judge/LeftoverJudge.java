/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static io.penstock.tables.finding.Severity.NOTICE;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.SinkLogReader;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.tables.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks for files that nothing needs, and for claims of Penstock's runs that cannot be read. */
public final class LeftoverJudge {
  private LeftoverJudge() {}

  /** Returns a finding for each of these files. */
  public static List<Finding> judge(CheckpointFacts facts) {
    List<Finding> findings = new ArrayList<>();
    if (facts.layout().all().stream().anyMatch(file -> file.path().startsWith(SinkLogReader.LOG))) {
      findings.add(
          new Finding(
              NOTICE,
              "The checkpoint is in the directory of a file sink's output.",
              SinkLogReader.LOG,
              "Who deletes, overwrites or moves the output does the same to the checkpoint, and"
                  + " readers of the output list its files.",
              "Give the query a checkpointLocation of its own: stop it, copy the checkpoint's"
                  + " directories there, and start it again."));
    }
    for (StoredFile file : facts.layout().unfinished()) {
      if (file.path().endsWith(".tmp.crc")) {
        findings.add(
            new Finding(
                NOTICE,
                "The checksum of a temporary file was left over.",
                file.path(),
                "Hadoop's local file system leaves it behind when it renames the file"
                    + " (HADOOP-16255). Spark does not use it.",
                "Nothing is needed."));
        continue;
      }
      findings.add(
          new Finding(
              NOTICE,
              "A temporary file was left over.",
              file.path(),
              "A checkpoint manager that renames files died before it renamed this one, or is still"
                  + " writing it. Spark does not use the file.",
              "Run 'penstock checkpoint repair': it moves such files aside if they are old."));
    }
    for (StoredFile file : facts.layout().orphanSides()) {
      findings.add(
          new Finding(
              NOTICE,
              "A checksum belongs to a file that does not exist.",
              file.path(),
              "The file was deleted without its checksum, or was never written. Spark does not use"
                  + " the checksum.",
              "Run 'penstock checkpoint repair': it moves such files aside if they are old."));
    }
    for (Map.Entry<Long, Read<WriterClaim>> writer : facts.writers().entrySet()) {
      if (writer.getValue().isBad()) {
        findings.add(
            new Finding(
                NOTICE,
                "The claim of a run cannot be read.",
                facts.layout().writers().get(writer.getKey()).path(),
                "The file " + writer.getValue().problem().get() + ".",
                "Nothing is needed; the next run makes a new claim."));
      }
    }
    return findings;
  }
}
