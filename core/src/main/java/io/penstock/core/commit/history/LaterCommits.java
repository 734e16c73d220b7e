/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.history.CommitUndoing.RefusedException;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.history.TableHistory.Known;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The commits that ended after one and may have replaced something of it: those that were alone at
 * the table. What an append adds stays beside what is restored. A commit that was taken back as a
 * whole is left out together with its undo.
 */
final class LaterCommits {
  /** Nobody takes back more undos of undos; names that were made up may go round in circles. */
  private static final int CHAIN_MAX = 1000;

  /** The files that a commit has added, and the objects that it has replaced. */
  private record Change(PastCommit commit, Intent intent, Replaced replaced) {
    String jobId() {
      return intent.job().id();
    }

    Set<String> directories() {
      Set<String> directories = new HashSet<>();
      intent.files().forEach(file -> directories.add(Objections.directory(ObjectKey.of(file))));
      replaced.old().keySet().stream()
          .filter(key -> !CommitUndoing.isRecord(key))
          .forEach(key -> directories.add(Objections.directory(key)));
      return directories;
    }

    boolean isUndoOf(String other) {
      return PastCommit.undoneBy(jobId()).equals(Optional.of(PastCommit.ownPart(other)));
    }

    /** Returns true if this one has taken the other one back with nothing left out. */
    boolean undoesAllOf(Change other) {
      if (!isUndoOf(other.jobId())) {
        return false;
      }
      Set<ObjectKey> restored = new HashSet<>();
      intent.files().forEach(file -> restored.add(ObjectKey.of(file)));
      return other.intent.files().stream()
              .allMatch(file -> replaced.old().containsKey(ObjectKey.of(file)))
          && other.replaced.old().keySet().stream()
              .filter(key -> CommitUndoing.isData(key, other.intent))
              .allMatch(restored::contains);
    }

    String prefix() {
      String marker = intent.markerKey();
      return marker.substring(0, marker.length() - SuccessMarker.NAME.length());
    }
  }

  /** An undo, and the change that it has taken back or, if it undoes an undo, brought back. */
  private record Undone(Change undo, Change change) {}

  private final List<Change> changes = new ArrayList<>();
  private final List<Undone> undone = new ArrayList<>();

  /** Those that take an undo back, each with the change that it has brought into force again. */
  private final List<Undone> redone = new ArrayList<>();

  private final String bucket;

  private LaterCommits(String bucket) {
    this.bucket = bucket;
  }

  /** Reads the later commits. Takes two requests for each, and more for large ones. */
  static LaterCommits than(PastCommit commit, Known known, OutputTable table, Lanes pool)
      throws IOException {
    List<PastCommit> later =
        known.commits().stream()
            .filter(other -> other.isAlone() && !other.id().equals(commit.id()))
            .filter(other -> other.end() == End.DONE || other.end() == End.UNKNOWN)
            .filter(other -> other.endedAfter(commit))
            .toList();
    List<Change> read = Collections.synchronizedList(new ArrayList<>());
    Parallel.untilFailureIn(
        one -> pool.reads(table.bucket(), table.prefix()),
        later,
        one -> {
          Optional<Intent> intent = known.intent(one);
          Optional<Replaced> replaced = known.replaced(one);
          if (one.end() == End.UNKNOWN || intent.isEmpty() || replaced.isEmpty()) {
            throw new RefusedException(
                "%s: the bucket has not kept all versions that tell what %s has changed since, so nobody can tell whether it is safe to take %s back"
                    .formatted(table, one.job(), commit.job()));
          }
          read.add(new Change(one, intent.get(), replaced.get()));
        });
    read.sort(Comparator.comparing(Change::commit, LaterCommits::byEnd));
    LaterCommits found = new LaterCommits(table.bucket());
    read.stream().filter(change -> !isOfAppend(change, known)).forEach(found::add);
    return found;
  }

  private static int byEnd(PastCommit one, PastCommit other) {
    if (one.equals(other)) {
      return 0;
    }
    return one.endedAfter(other) ? 1 : -1;
  }

  /**
   * Returns true if all that the change does is to take an append back, or to bring it back: as the
   * append, it touches no file of any other commit.
   */
  private static boolean isOfAppend(Change change, Known known) {
    Optional<String> undone = PastCommit.undoneBy(change.jobId());
    for (int links = 0; undone.isPresent() && links < CHAIN_MAX; links++) {
      String part = undone.get();
      Optional<PastCommit> commit =
          known.commits().stream()
              .filter(one -> one.isOf(part) || one.job().startsWith(part + PastCommit.UNDO))
              .findFirst();
      if (commit.isEmpty() || !commit.get().isUndo()) {
        return commit.isPresent() && !commit.get().isAlone();
      }
      // The end of the id of a job that had more than one turn is no part of the other id.
      undone = commit.get().undoes().map(id -> id.replaceFirst("(?<=[^-])-[0-9]{1,3}$", ""));
    }
    return false;
  }

  private void add(Change change) {
    for (Change other : List.copyOf(changes)) {
      boolean isRedone =
          redone.stream()
              .filter(redo -> redo.change().commit().equals(other.commit()))
              .anyMatch(redo -> change.undoesAllOf(redo.undo()));
      if (isRedone || change.undoesAllOf(other)) {
        changes.remove(other);
        undone.add(new Undone(change, other));
        return;
      }
    }
    for (Undone one : List.copyOf(undone)) {
      if (change.undoesAllOf(one.undo())) {
        undone.remove(one);
        changes.add(one.change());
        redone.add(new Undone(change, one.change()));
        return;
      }
    }
    changes.add(change);
  }

  /**
   * Objects where they have changed directories in which a commit replaced something. Where it only
   * wrote, its files tell. An overwrite also changes the directories that it finds empty, and
   * leaves no trace there.
   *
   * @param isAnyGone whether some of the commit's files are gone, or it had none: then a later
   *     overwrite may have found nothing of it at all
   */
  void objectTo(Intent intent, Replaced replaced, boolean isAnyGone, Objections objections) {
    Change undone = new Change(null, intent, replaced);
    Set<String> written = new HashSet<>();
    intent.files().forEach(file -> written.add(Objections.directory(ObjectKey.of(file))));
    Set<String> old = new HashSet<>();
    replaced.old().keySet().stream()
        .filter(key -> !CommitUndoing.isRecord(key))
        .forEach(key -> old.add(Objections.directory(key)));
    Set<String> emptied = new HashSet<>(old);
    emptied.removeAll(written);
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      Set<String> theirs = change.directories();
      Set<String> touched = new HashSet<>(theirs);
      touched.retainAll(old);
      String reason = change.jobId() + " has changed it since";
      objections.explain(theirs, reason);
      objections.add(touched, reason);
      if (change.commit().isUndo()) {
        continue;
      }
      boolean isOfAll =
          theirs.stream().anyMatch(one -> old.contains(one) || written.contains(one))
              || (isAnyGone
                  && (change.prefix().startsWith(undone.prefix())
                      || undone.prefix().startsWith(change.prefix())));
      String root = "s3://" + bucket + "/" + change.prefix();
      Set<String> beginnings = new HashSet<>();
      theirs.forEach(one -> beginnings.add(beginning(root, one)));
      for (String directory : emptied) {
        boolean isBelow = directory.startsWith(root);
        boolean mayBeIn =
            isBelow && (theirs.isEmpty() || beginnings.contains(beginning(root, directory)));
        if (isOfAll || mayBeIn) {
          objections.add(Set.of(directory), change.jobId() + " may have overwritten it since");
        }
      }
    }
  }

  /** Returns a directory's first part below a root: what is static of an overwrite begins so. */
  private static String beginning(String root, String directory) {
    if (!directory.startsWith(root)) {
      return directory;
    }
    int end = directory.indexOf('/', root.length());
    return end < 0 ? directory : directory.substring(0, end + 1);
  }
}
