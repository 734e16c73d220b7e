/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.repair;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.judge.StateJudge;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.core.checkpoint.LogOffsets.Backward;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which files can be moved aside so that the query starts again, and explains why nothing
 * is lost. It also lists what cannot be repaired, and why. Before it proposes to run a batch again,
 * it looks at the checkpoint as it would be then: the state that the batch starts from must be
 * whole.
 *
 * @param refusals each is one or two sentences
 */
public record RepairPlan(List<Step> steps, List<String> refusals) {
  /**
   * A group of files that are moved aside together.
   *
   * @param why the reason why this is safe
   * @param then the effect at the query's next start
   */
  public record Step(String what, List<StoredFile> files, String why, String then) {}

  /**
   * The statements of the user about the query.
   *
   * @param leftoversOlderThan younger temporary files may still be in use and are kept
   * @param hasNoFileSink true if the query does not write files through Spark's file sink
   */
  public record Consent(Duration leftoversOlderThan, boolean hasNoFileSink) {}

  /** Shows a checkpoint as it would be after a repair. */
  @FunctionalInterface
  public interface Afterwards {
    /**
     * Returns the facts as they would be without some files.
     *
     * @param moved the paths of these files
     */
    CheckpointFacts without(Set<String> moved) throws IOException;
  }

  /**
   * Makes a plan.
   *
   * @param afterwards shows the same checkpoint
   */
  public static RepairPlan of(CheckpointFacts facts, Consent consent, Afterwards afterwards)
      throws IOException {
    Planner planner = new Planner(facts, consent, afterwards);
    planner.metadata();
    planner.offsets();
    planner.commit();
    planner.leftovers();
    return new RepairPlan(List.copyOf(planner.steps), List.copyOf(planner.refusals));
  }

  /** Collects the steps. */
  private static final class Planner {
    private final CheckpointFacts facts;
    private final Consent consent;
    private final Afterwards afterwards;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    Planner(CheckpointFacts facts, Consent consent, Afterwards afterwards) {
      this.facts = facts;
      this.consent = consent;
      this.afterwards = afterwards;
    }

    void metadata() {
      if (facts.queryId().isEmpty() || !facts.queryId().get().isBad()) {
        return;
      }
      if (facts.layout().offsets().newest().isPresent()
          || facts.layout().commits().newest().isPresent()
          || facts.isStateful()) {
        refusals.add(
            "metadata: the query has run under an id that nobody can guess. Write {\"id\":\"…\"}"
                + " into the file with the id from an old log line or progress event.");
        return;
      }
      move(
          "The query's id, which cannot be read",
          facts.layout().metadata().get(),
          "No batch was planned yet, so nothing depends on the id.",
          "The query starts for the first time, under a new id.");
    }

    void offsets() throws IOException {
      Optional<Long> newest = facts.layout().offsets().newest();
      if (newest.isEmpty()) {
        return;
      }
      if (facts.beforeHole().isPresent()) {
        hole(newest.get(), facts.beforeHole().get());
        return;
      }
      boolean isBad = facts.offsets().get(newest.get()).isBad();
      if (newest.get() > 0
          && !facts.layout().offsets().has(newest.get() - 1)
          && !facts.mayBeAsync()) {
        refusals.add(
            "offsets/%d: the query needs it, and what was planned there cannot be told. Batches after it are committed, or it has state, or more than one is missing. Restore the file from a backup; a query with asyncProgressTracking needs no repair."
                .formatted(newest.get() - 1));
      }
      if (!isBad && facts.backward().isEmpty()) {
        return;
      }
      long batch = newest.get();
      StoredFile file = facts.layout().offsets().file(batch).get();
      if (isRefused(file, offsetsObstacle(batch))) {
        return;
      }
      move(
          isBad
              ? "The newest offsets, which cannot be read"
              : "The newest offsets, which go back in the log of a file source",
          file,
          "Batch %d has no commit%s%s, so its planned work was not done."
              .formatted(
                  batch,
                  facts.isStateful() ? ", no state" : "",
                  facts.sink().isPresent() ? " and no entry in the sink's log" : ""),
          "Spark plans batch %d again, from the end of batch %d; the new batch may have more rows than before."
              .formatted(batch, batch - 1));
    }

    private void hole(long batch, long before) throws IOException {
      StoredFile file = facts.layout().offsets().file(batch).get();
      if (isRefused(file, startObstacle(before + 1))) {
        return;
      }
      move(
          "The newest offsets, which those before them are missing for",
          file,
          "A query with asyncProgressTracking needs no repair. Of any other, neither batch %d nor a later one has a commit%s."
              .formatted(
                  before + 1, facts.sink().isPresent() ? " or an entry in the sink's log" : ""),
          "Spark plans batch %d again, from the end of batch %d; a sink that does not recognise a batch by its number gets rows twice if batch %d had reached it."
              .formatted(before + 1, before, before + 1));
    }

    private Optional<String> offsetsObstacle(long batch) {
      Optional<Backward> lost = facts.backward().filter(facts::hasLost);
      if (lost.isPresent()) {
        return Optional.of(
            "sources/%s/ has lost entry %d. If the batch were planned again, the query would skip files that it has not read. Restore that log, or start the query on a new checkpoint."
                .formatted(lost.get().source(), lost.get().from()));
      }
      if (batch == 0) {
        return Optional.of(
            "nothing was committed, so there is nothing to go back to. Start the query on a new"
                + " checkpoint.");
      }
      if (facts.layout().commits().newest().orElse(-1L) >= batch) {
        return Optional.of(
            "the batch was committed. Without the batch's offsets, Spark would read its rows"
                + " twice.");
      }
      return startObstacle(batch);
    }

    /** Returns the reason why a batch could not be planned anew from the end of the one before. */
    private Optional<String> startObstacle(long batch) {
      if (!isGood(facts.offsets().get(batch - 1)) || !isGood(facts.commits().get(batch - 1))) {
        return Optional.of(
            "the previous batch lacks readable offsets or a readable commit, so this batch has"
                + " nothing to start from.");
      }
      if (facts.sink().isEmpty() && !consent.hasNoFileSink()) {
        return Optional.of(
            "if the query has a file sink that already has the batch, the sink would drop the"
                + " batch. Name the query's output directory with --sink DIRECTORY, or use --sink"
                + " none.");
      }
      if (facts.sink().isPresent() && facts.sink().get().log().newest().orElse(-1L) >= batch) {
        return Optional.of(
            "the sink already has the batch. If the batch were planned again, its rows could"
                + " differ, and the sink would drop the new rows.");
      }
      if (facts.sink().isPresent() && facts.sink().get().log().newest().orElse(-1L) != batch - 1) {
        return Optional.of(
            "the sink's newest batch is not the batch before this one: %s belongs to another query, or has lost"
                    .formatted(facts.sink().get().where())
                + " batches.");
      }
      boolean hasState =
          facts.layout().stores().values().stream()
              .anyMatch(store -> store.newest().orElse(0L) > batch);
      return hasState
          ? Optional.of(
              "the batch left state, so it has run. If the batch were planned again, its rows could"
                  + " differ from those that a sink already has.")
          : Optional.empty();
    }

    void commit() throws IOException {
      Optional<Long> newest = facts.layout().commits().newest();
      if (newest.isEmpty() || !facts.commits().get(newest.get()).isBad()) {
        return;
      }
      long batch = newest.get();
      StoredFile file = facts.layout().commits().file(batch).get();
      if (isRefused(file, commitObstacle(batch))) {
        return;
      }
      boolean runsAgain = facts.layout().offsets().newest().orElse(-1L) == batch;
      move(
          "The newest commit, which cannot be read",
          file,
          runsAgain
              ? "The batch's offsets and the state that it starts from are whole, so the batch runs"
                  + " again over the same rows."
              : "The next batch has offsets, so Spark had committed this batch.",
          runsAgain
              ? "Batch %d runs again. Spark's file sink, and any sink that recognises a batch by its number,"
                      .formatted(batch)
                  + " writes the batch only once; any other sink gets its rows a second time."
              : "Batch %d runs next; batch %d does not run again. Until the query has run, 'penstock checkpoint check' says that two batches have no commit."
                  .formatted(batch + 1, batch));
    }

    private Optional<String> commitObstacle(long batch) {
      long planned = facts.layout().offsets().newest().orElse(-1L);
      if (planned != batch && planned != batch + 1) {
        return Optional.of("the newest offsets belong to batch %d.".formatted(planned));
      }
      if (!isGood(facts.offsets().get(batch)) || !isGood(facts.offsets().get(planned))) {
        return Optional.of("the offsets of the batch cannot be read.");
      }
      if (batch > 0 && !isGood(facts.commits().get(batch - 1))) {
        return Optional.of("the commit of the previous batch is missing or cannot be read.");
      }
      if (planned > batch && facts.hasStateIds()) {
        return Optional.of(
            "this commit names the state files that batch %d needs.".formatted(planned));
      }
      return Optional.empty();
    }

    /**
     * Returns true, and says why, if the file must stay for this reason or because of the state.
     */
    private boolean isRefused(StoredFile file, Optional<String> obstacle) throws IOException {
      Optional<String> reason = obstacle.isPresent() ? obstacle : stateObstacle(file);
      reason.ifPresent(why -> refusals.add(file.path() + ": " + why));
      return reason.isPresent();
    }

    /**
     * Returns the reason why the state could not be loaded that the next batch would start from
     * without this file; empty when it could.
     */
    private Optional<String> stateObstacle(StoredFile file) throws IOException {
      CheckpointFacts after =
          afterwards.without(
              withSides(file).stream().map(StoredFile::path).collect(Collectors.toSet()));
      return StateJudge.judge(after).stream()
          .filter(finding -> finding.severity().isHarmful())
          .findFirst()
          .map(
              finding ->
                  "the state that batch %d would start from is not whole. %s: %s"
                      .formatted(after.resume().batch(), finding.where(), finding.meaning()));
    }

    private static boolean isGood(Read<?> read) {
      return read != null && read.value().isPresent();
    }

    void leftovers() {
      Instant limit = facts.now().minus(consent.leftoversOlderThan());
      List<StoredFile> old = new ArrayList<>();
      facts.layout().unfinished().stream()
          .filter(file -> file.modified().isBefore(limit))
          .forEach(old::add);
      if (!old.isEmpty()) {
        steps.add(
            new Step(
                "Leftover temporary files",
                old,
                "No reader uses such names, and a writer that is still running would have renamed"
                    + " the files by now.",
                "Nothing changes."));
      }
      List<StoredFile> orphans =
          facts.layout().orphanSides().stream()
              .filter(file -> file.modified().isBefore(limit))
              .toList();
      if (!orphans.isEmpty()) {
        steps.add(
            new Step(
                "Checksums of files that are not there",
                orphans,
                "A checksum is read only together with its file.",
                "Nothing changes."));
      }
    }

    private void move(String what, StoredFile file, String why, String then) {
      steps.add(new Step(what, withSides(file), why, then));
    }

    private List<StoredFile> withSides(StoredFile file) {
      List<StoredFile> files = new ArrayList<>(List.of(file));
      // If the checksum remained, Hadoop would reject the new file with this name.
      facts.layout().side(file).ifPresent(files::add);
      facts.layout().hiddenSide(file).ifPresent(files::add);
      return List.copyOf(files);
    }
  }
}
