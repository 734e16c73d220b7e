/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static io.penstock.tables.finding.Severity.NOTICE;
import static io.penstock.tables.finding.Severity.STOPS;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.log.SideFile;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.tables.finding.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares state files with the checksums that Spark keeps beside them. */
public final class SideJudge {
  private SideJudge() {}

  /** Returns the findings about files that do not match their checksum. */
  public static List<Finding> judge(CheckpointFacts facts) {
    Set<String> needed = new HashSet<>();
    facts
        .chains()
        .values()
        .forEach(chain -> chain.files().forEach(file -> needed.add(file.file().path())));
    List<Finding> findings = new ArrayList<>();
    for (StoredFile file : facts.layout().all()) {
      Read<SideFile> side = facts.sides().get(file.path());
      if (side != null) {
        problem(facts, file, side)
            .ifPresent(text -> findings.add(finding(file, text, needed.contains(file.path()))));
      }
    }
    return findings;
  }

  private static Optional<String> problem(
      CheckpointFacts facts, StoredFile file, Read<SideFile> side) {
    if (side.isBad()) {
      return Optional.of("Its checksum file " + side.problem().get() + ".");
    }
    if (side.value().isEmpty()) {
      return Optional.empty();
    }
    SideFile expected = side.value().get();
    if (expected.sizeBytes() != file.sizeBytes()) {
      return Optional.of(
          "The file has %d bytes; its checksum was made from %d bytes."
              .formatted(file.sizeBytes(), expected.sizeBytes()));
    }
    Long computed = facts.checksums().get(file.path());
    return computed == null || computed == expected.crc32c()
        ? Optional.empty()
        : Optional.of(
            "The file's CRC32C is %08x; its checksum file says %08x."
                .formatted(computed, expected.crc32c()));
  }

  private static Finding finding(StoredFile file, String text, boolean isNeeded) {
    // Spark ignores the checksum of a zip without an id in its name, because two attempts write the
    // same zip with different bytes.
    boolean isCompared = !(file.name().endsWith(".zip") && !file.name().contains("_"));
    boolean stops = isNeeded && isCompared;
    return new Finding(
        stops ? STOPS : NOTICE,
        "A state file and its checksum do not match.",
        file.path(),
        text
            + (stops
                ? " Spark 4.1 and later stop when they load the state file."
                : " The next batch does not depend on the state file."),
        stops
            ? "Restore both files from a backup. If you know that the state file is whole, move its"
                + " .crc file away."
            : "Nothing.");
  }
}
