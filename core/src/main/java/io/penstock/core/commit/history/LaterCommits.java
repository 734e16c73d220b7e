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
  /** What a commit has changed. */
  private record Change(PastCommit commit, Intent intent, Replaced replaced) {
    Set<String> directories() {
      Set<String> directories = new HashSet<>();
      intent.files().forEach(file -> directories.add(Objections.directory(ObjectKey.of(file))));
      replaced.old().keySet().forEach(key -> directories.add(Objections.directory(key)));
      return directories;
    }

    /** Returns true if this one has taken the other one back with nothing left out. */
    boolean undoesAllOf(Change other) {
      if (!commit.undoes(other.commit)) {
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

  private final List<Change> changes = new ArrayList<>();

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
    read.sort(Comparator.comparing(Change::commit, (one, other) -> one.endedAfter(other) ? 1 : -1));
    LaterCommits found = new LaterCommits();
    read.forEach(found::add);
    return found;
  }

  private void add(Change change) {
    Optional<Change> undone = changes.stream().filter(change::undoesAllOf).findFirst();
    if (undone.isPresent()) {
      changes.remove(undone.get());
    } else {
      changes.add(change);
    }
  }

  /**
   * Objects where they have changed directories of a commit. An overwrite of a whole table also
   * changes the partitions that it finds empty, and leaves no trace there. It has then replaced
   * files of the commit elsewhere, if the commit had any.
   */
  void objectTo(Intent intent, Replaced replaced, Objections objections) {
    Set<String> written = new HashSet<>();
    intent.files().forEach(file -> written.add(Objections.directory(ObjectKey.of(file))));
    Set<String> own = new HashSet<>(written);
    replaced.old().keySet().forEach(key -> own.add(Objections.directory(key)));
    Change undone = new Change(null, intent, replaced);
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      Set<String> touched = change.directories();
      touched.retainAll(own);
      String reason = change.commit().job() + " has changed it since";
      objections.add(touched, reason);
      boolean isUnderOne =
          change.prefix().startsWith(undone.prefix())
              || undone.prefix().startsWith(change.prefix());
      boolean mayHaveFoundNothing = written.isEmpty() ? isUnderOne : !touched.isEmpty();
      if (mayHaveFoundNothing && !change.commit().isUndo()) {
        Set<String> empty = new HashSet<>(own);
        empty.removeAll(written);
        objections.add(empty, change.commit().job() + " may have overwritten it since");
      }
    }
  }
}
