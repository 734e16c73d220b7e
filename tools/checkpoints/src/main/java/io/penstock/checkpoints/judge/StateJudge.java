/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.judge;

import static io.penstock.tables.finding.Severity.CORRUPTS;
import static io.penstock.tables.finding.Severity.NOTICE;
import static io.penstock.tables.finding.Severity.STOPS;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.Resume;
import io.penstock.checkpoints.log.CommitEntry;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.state.RocksSnapshot;
import io.penstock.checkpoints.state.StateChain;
import io.penstock.checkpoints.state.StoreFiles;
import io.penstock.checkpoints.state.VersionFile;
import io.penstock.tables.finding.Finding;
import io.penstock.tables.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks that every state store can be loaded at the version that the next batch needs. */
public final class StateJudge {
  private static final String LOST =
      "Restore the file from a backup or from the bucket's older versions. Without the file, this"
          + " state is lost: start the query on a new checkpoint.";

  private final CheckpointFacts facts;
  private final List<Finding> findings = new ArrayList<>();

  private StateJudge(CheckpointFacts facts) {
    this.facts = facts;
  }

  /** Returns the findings about the state stores. */
  public static List<Finding> judge(CheckpointFacts facts) {
    StateJudge judge = new StateJudge(facts);
    facts.chains().forEach(judge::chain);
    judge.partitions();
    judge.operators();
    judge.newer();
    return judge.findings;
  }

  private void add(Severity severity, String what, String where, String meaning, String advice) {
    findings.add(new Finding(severity, what, where, meaning, advice));
  }

  private void chain(StoreId id, StateChain chain) {
    for (String missing : chain.missing()) {
      add(
          STOPS,
          "A state file is missing.",
          id.path() + missing,
          "Version %d of this state cannot be loaded; batch %d needs it."
              .formatted(chain.version(), facts.resume().batch()),
          LOST);
    }
    for (VersionFile needed : chain.files()) {
      if (needed.file().sizeBytes() == 0) {
        add(
            STOPS,
            "A state file is empty.",
            needed.file().path(),
            "Version %d of this state cannot be loaded; batch %d needs it."
                .formatted(chain.version(), facts.resume().batch()),
            LOST);
      } else if (needed.kind() == VersionFile.Kind.ZIP) {
        snapshot(id, needed);
      }
    }
  }

  private void snapshot(StoreId id, VersionFile zip) {
    Read<RocksSnapshot> read = facts.snapshots().get(zip.file().path());
    if (read == null) {
      return;
    }
    if (read.isBad()) {
      add(
          STOPS,
          "A RocksDB snapshot cannot be read.",
          zip.file().path(),
          "The file " + read.problem().get() + ". This state cannot be loaded.",
          older(id, zip));
    }
    read.value().ifPresent(snapshot -> snapshot.needed().forEach(file -> needed(id, zip, file)));
  }

  private void needed(StoreId id, VersionFile zip, RocksSnapshot.Needed needed) {
    String where = id.path() + needed.path();
    StoreFiles store = facts.layout().stores().get(id);
    store
        .immutable(needed.name())
        .ifPresentOrElse(
            file -> {
              if (file.sizeBytes() != needed.sizeBytes()) {
                add(
                    STOPS,
                    "A file of a RocksDB snapshot has the wrong size.",
                    where,
                    "The file has %d bytes, but according to %s it should have %d. This state cannot be loaded."
                        .formatted(file.sizeBytes(), zip.file().name(), needed.sizeBytes()),
                    older(id, zip));
              }
            },
            () ->
                add(
                    STOPS,
                    "A file of a RocksDB snapshot is missing.",
                    where,
                    zip.file().name() + " needs this file. This state cannot be loaded.",
                    older(id, zip)));
  }

  /**
   * Returns the advice for a broken snapshot: a way around it, if Spark 4.1 and later have one, or
   * else that the state is lost.
   */
  private String older(StoreId id, VersionFile broken) {
    StoreFiles others = new StoreFiles();
    facts.layout().stores().get(id).versions().values().stream()
        .flatMap(List::stream)
        .filter(file -> !file.equals(broken))
        .forEach(file -> others.take(file.file()));
    boolean isThere =
        StateChain.of(others, facts.resume().stateVersion(), version -> Set.of()).isWhole();
    return isThere
        ? "An older snapshot and all changelogs after it exist: Spark 4.1 and later load these"
            + " instead if you set"
            + " spark.sql.streaming.stateStore.autoSnapshotRepair.enabled=true."
        : LOST;
  }

  private void partitions() {
    if (facts.resume().stateVersion() == 0) {
      return;
    }
    Map<Long, Set<String>> names = new TreeMap<>();
    Map<Long, Long> counts = new TreeMap<>();
    for (StoreId id : facts.layout().stores().keySet()) {
      names.computeIfAbsent(id.operator(), op -> new TreeSet<>()).add(id.name());
      counts.merge(id.operator(), id.partition() + 1, Math::max);
    }
    facts
        .operators()
        .forEach(
            (operator, read) ->
                read.value()
                    .ifPresent(
                        info -> {
                          if (!info.partitions().isEmpty()) {
                            names.put(operator, info.partitions().keySet());
                          }
                          info.partitions()
                              .values()
                              .forEach(count -> counts.merge(operator, count, Math::max));
                        }));
    // All of the state may be gone, and only the commit tell that there was some.
    Optional<CommitEntry> newest =
        facts
            .layout()
            .commits()
            .newest()
            .map(batch -> facts.commits().get(batch))
            .flatMap(Read::value);
    newest.ifPresent(
        commit ->
            commit
                .partitions()
                .forEach(
                    (operator, count) -> {
                      names.computeIfAbsent(operator, op -> Set.of(StoreId.DEFAULT));
                      counts.merge(operator, count, Math::max);
                    }));
    if (names.isEmpty() && newest.isPresent() && newest.get().hasWatermark()) {
      add(
          NOTICE,
          "The query has a watermark, and the checkpoint has no state.",
          "state",
          "A query that aggregates, joins or drops duplicates with a watermark has state. If this one does, its state is gone, and batch %d cannot load it: the query fails."
              .formatted(facts.resume().batch()),
          "Nothing is needed if the query only filters and maps. Otherwise restore state/ from a"
              + " backup or from the bucket's older versions, or start the query on a new"
              + " checkpoint.");
    }
    names.forEach(
        (operator, stores) -> missing(operator, stores, counts.getOrDefault(operator, 0L)));
  }

  private void missing(long operator, Set<String> names, long count) {
    long told = 0;
    // The limit of 1,000 prevents a manipulated file from producing a million findings.
    for (long partition = 0; partition < count && told < 1000; partition++) {
      for (String name : names) {
        StoreId id = new StoreId(operator, partition, name);
        if (!facts.layout().stores().containsKey(id)) {
          told++;
          boolean hasOthers =
              names.stream()
                  .anyMatch(
                      other ->
                          facts
                              .layout()
                              .stores()
                              .containsKey(new StoreId(operator, id.partition(), other)));
          add(
              STOPS,
              hasOthers
                  ? "A store of a partition of the state is missing."
                  : "A partition of the state is missing.",
              id.path(),
              hasOthers
                  ? "Operator %d keeps %d stores for each partition; the store %s of partition %d has no files."
                      .formatted(operator, names.size(), name, partition)
                  : "Operator %d has %d partitions; this partition has no files."
                      .formatted(operator, count),
              LOST);
        }
      }
    }
  }

  private void operators() {
    facts
        .operators()
        .forEach(
            (operator, read) -> {
              if (read.isBad()) {
                // Tested with Spark 4.1 and 4.3: the query starts and leaves the file unchanged.
                add(
                    NOTICE,
                    "The description of a stateful operator cannot be read.",
                    facts.layout().operatorMetadata().get(operator).path(),
                    "The file "
                        + read.problem().get()
                        + ". The query starts, but Spark's state reader (format statestore) fails.",
                    "Restore the file if you read the state with Spark.");
              }
            });
  }

  /**
   * Reports state of batches after the offsets' newest batch. This happens when a user has gone
   * back to older offsets by hand.
   */
  private void newer() {
    long inFlight = facts.resume().batch() + 1;
    facts
        .layout()
        .stores()
        .forEach(
            (id, store) -> {
              if (store.newest().orElse(0L) > inFlight) {
                add(
                    facts.resume().how() == Resume.Case.FRESH ? CORRUPTS : NOTICE,
                    "The state is newer than the offsets.",
                    id.path() + store.newest().get(),
                    "Batch %d runs next and writes version %d of the state. After that, Spark writes the later versions again, although they already exist."
                        .formatted(facts.resume().batch(), inFlight),
                    "Nothing is needed if you went back to an older batch on purpose.");
              }
            });
  }
}
