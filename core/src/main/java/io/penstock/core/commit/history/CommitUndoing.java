/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.history.TableHistory.Known;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.once.DoneCommits;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Places;
import io.penstock.core.store.versions.ObjectVersion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Takes back a commit to a table in a bucket that keeps versions: removes the files that it made
 * visible, and restores the objects that it replaced. This is a commit itself: readers see all of
 * it or nothing, whoever finds it half done can finish it, and it can be taken back, too.
 */
public final class CommitUndoing {
  /** Commits that began so long before another one may have ended after it. */
  private static final Duration OVERLAP = Duration.ofHours(1);

  private final Means means;
  private final OutputTable table;
  private final TableHistory history;

  public CommitUndoing(Means means, OutputTable table) {
    this.means = means;
    this.table = table;
    this.history = new TableHistory(means.stores(), table, means.pool());
  }

  /** Tells why a commit cannot be taken back. Nothing has changed. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /** What stands against taking back a part of a commit, by directory. */
  private static final class Objections {
    private final Map<String, String> byDirectory = new TreeMap<>();

    void add(ObjectKey key, String reason) {
      byDirectory.putIfAbsent(directory(key), reason);
    }

    boolean concern(ObjectKey key) {
      return byDirectory.containsKey(directory(key));
    }
  }

  private static String directory(ObjectKey key) {
    return "s3://" + key.bucket() + "/" + Places.directory(key.key());
  }

  private Known known(PastCommit commit) throws IOException {
    return history.since(commit.began().minus(OVERLAP));
  }

  /**
   * Finds out what it takes to take a commit back. Changes nothing.
   *
   * @param spares whether directories that later commits have changed stay as they are, and the
   *     rest of the commit is taken back
   * @throws RefusedException if it cannot be taken back; the message says why and what to do
   */
  public CommitToUndo plan(PastCommit commit, boolean spares) throws IOException {
    if (commit.end() != End.DONE) {
      throw new RefusedException(
          commit.end() == End.OPEN
              ? "%s has not ended. See 'penstock recover %s'".formatted(commit.job(), table)
              : "%s has failed, and no file of it is visible".formatted(commit.job()));
    }
    Known known = known(commit);
    Intent intent = known.intent(commit).orElseThrow(() -> forgotten(commit));
    Replaced replaced = known.replaced(commit).orElseThrow(() -> forgotten(commit));
    requireOwnNames(intent, replaced);
    Objections objections = new Objections();
    objectToLaterCommits(known, commit, intent, replaced, objections);
    Set<ObjectKey> written = new HashSet<>();
    intent.files().forEach(file -> written.add(ObjectKey.of(file)));
    Set<ObjectKey> all = new HashSet<>(written);
    all.addAll(replaced.old().keySet());
    KeyVersions versions = KeyVersions.of(all, means.stores());
    Instant ended = commit.ended().orElseThrow();
    for (TaskFile file : intent.files()) {
      objectToRemoval(file, versions, ended, objections);
    }
    replaced
        .old()
        .forEach(
            (key, condition) -> objectToRestoring(key, condition, versions, ended, objections));
    if (!objections.byDirectory.isEmpty() && !spares) {
      throw refused(commit, objections);
    }
    Map<ObjectKey, Condition> removed = new LinkedHashMap<>();
    long removedBytes = 0;
    for (ObjectKey key : written) {
      if (!objections.concern(key)) {
        ObjectVersion version = versions.newest(key).orElseThrow();
        removedBytes += version.sizeBytes();
        boolean isCompared = means.stores().of(key.bucket()).traits().comparesEtagsInBulk();
        removed.put(key, isCompared ? Condition.ifMatch(version.etag()) : Condition.NONE);
      }
    }
    Optional<ObjectKey> record = record(intent);
    if (record.isPresent()) {
      removed.put(record.get(), Condition.NONE);
    }
    List<RestoredFile> restored = new ArrayList<>();
    for (ObjectKey key : replaced.old().keySet()) {
      if (!objections.concern(key)) {
        ObjectVersion version = versions.newest(key).orElseThrow();
        restored.add(
            new RestoredFile(
                key.bucket(),
                key.key(),
                version.sizeBytes(),
                version.etag(),
                versions.markers(key)));
      }
    }
    return new CommitToUndo(
        commit, intent, removed, removedBytes, restored, objections.byDirectory, done(known));
  }

  /**
   * Returns the record of a commit with a name, if there is one. Without it, a job of the same name
   * writes again.
   */
  private Optional<ObjectKey> record(Intent intent) throws IOException {
    if (intent.name().isEmpty()) {
      return Optional.empty();
    }
    String key =
        new DoneCommits(means.stores(), table, means.pool())
            .key(intent.name().get(), place(intent).substring(table.prefix().length()));
    try {
      means.stores().of(table.bucket()).head(key);
      return Optional.of(new ObjectKey(table.bucket(), key));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns the prefix of the job's output. */
  private static String place(Intent intent) {
    String marker = intent.markerKey();
    return marker.substring(0, marker.length() - SuccessMarker.NAME.length());
  }

  private RefusedException forgotten(PastCommit commit) {
    return new RefusedException(
        "the bucket has not kept the versions of %s that tell which files belong to it"
            .formatted(commit.job()));
  }

  /**
   * A file that took the place of an object has no delete marker before it. To bring the object
   * back, the file would have to be deleted for good, or the object copied.
   */
  private void requireOwnNames(Intent intent, Replaced replaced) throws RefusedException {
    Optional<ObjectKey> shared =
        intent.files().stream()
            .map(ObjectKey::of)
            .filter(key -> replaced.old().containsKey(key) || replaced.inPlace().contains(key))
            .findFirst();
    if (shared.isPresent()) {
      throw new RefusedException(
          "%s wrote files with the names of those that it replaced, such as %s, as jobs of RDDs do. Only commits whose files have names of their own can be taken back"
              .formatted(intent.job().id(), shared.get()));
    }
  }

  /**
   * Objects where later commits have replaced something. What an append adds stays beside what is
   * restored.
   */
  private void objectToLaterCommits(
      Known known, PastCommit commit, Intent intent, Replaced replaced, Objections objections)
      throws IOException {
    Set<String> own = new HashSet<>();
    intent.files().forEach(file -> own.add(directory(ObjectKey.of(file))));
    replaced.old().keySet().forEach(key -> own.add(directory(key)));
    List<PastCommit> later =
        known.commits().stream()
            .filter(other -> other.isAlone() && other.end() == End.DONE)
            .filter(other -> other.endedAfter(commit))
            .toList();
    Map<String, PastCommit> touched = new ConcurrentHashMap<>();
    Parallel.untilFailureIn(
        one -> means.pool().reads(table.bucket(), table.prefix()),
        later,
        one -> {
          Set<String> theirs = new HashSet<>();
          known
              .intent(one)
              .orElseThrow(() -> forgotten(one))
              .files()
              .forEach(file -> theirs.add(directory(ObjectKey.of(file))));
          known
              .replaced(one)
              .orElseThrow(() -> forgotten(one))
              .old()
              .keySet()
              .forEach(key -> theirs.add(directory(key)));
          theirs.retainAll(own);
          theirs.forEach(directory -> touched.merge(directory, one, CommitUndoing::later));
        });
    touched.forEach(
        (directory, by) ->
            objections.byDirectory.put(directory, "%s has changed it since".formatted(by.job())));
  }

  private static PastCommit later(PastCommit one, PastCommit other) {
    return one.endedAfter(other) ? one : other;
  }

  private void objectToRemoval(
      TaskFile file, KeyVersions versions, Instant ended, Objections objections)
      throws RefusedException {
    ObjectKey key = ObjectKey.of(file);
    Optional<ObjectVersion> newest = versions.newest(key);
    boolean isThere =
        newest
            .filter(ObjectVersion::isLatest)
            .filter(version -> version.sizeBytes() == file.sizeBytes())
            .filter(version -> !version.lastModified().isAfter(ended))
            .isPresent();
    if (!isThere) {
      objections.add(key, "%s was deleted or written since".formatted(key));
    } else if (newest.get().versionId().equals(ObjectVersion.NULL)) {
      throw new RefusedException(
          "the bucket did not keep versions when %s was written, so nobody could bring it back"
              .formatted(key));
    }
  }

  private static void objectToRestoring(
      ObjectKey key,
      Condition condition,
      KeyVersions versions,
      Instant ended,
      Objections objections) {
    Optional<ObjectVersion> newest = versions.newest(key);
    if (newest.isEmpty()) {
      objections.add(key, "no version of %s is left".formatted(key));
    } else if (newest.get().isLatest() || versions.markers(key).isEmpty()) {
      objections.add(key, "%s exists again".formatted(key));
    } else if (newest.get().lastModified().isAfter(ended)
        || condition
            .etagToDelete()
            .filter(etag -> !Etags.match(etag, newest.get().etag()))
            .isPresent()) {
      objections.add(key, "%s was written and deleted since".formatted(key));
    }
  }

  private RefusedException refused(PastCommit commit, Objections objections) {
    String some =
        objections.byDirectory.entrySet().stream()
            .limit(3)
            .map(one -> "%s (%s)".formatted(one.getKey(), one.getValue()))
            .collect(Collectors.joining(", "));
    return new RefusedException(
        "%s cannot be taken back, because %s changed since: %s. Take back the later commits first, the newest one first"
            .formatted(
                commit.job(),
                objections.byDirectory.size() == 1
                    ? "one of its directories has"
                    : "%,d of its directories have".formatted(objections.byDirectory.size()),
                some));
  }

  private static Set<String> done(Known known) {
    return known.commits().stream()
        .filter(commit -> commit.end() == End.DONE)
        .map(PastCommit::id)
        .collect(Collectors.toSet());
  }

  /**
   * Takes the commit back. Waits for jobs that commit to the table.
   *
   * @param self returns this process for the id and the start of its commit
   * @param unique makes the id of the commit one that no other has
   * @throws RefusedException if another job has committed to the table since the plan was made
   * @throws IOException if it fails; see {@link JobCommit#commit}
   */
  public void run(CommitToUndo plan, BiFunction<String, Instant, CommittingJob> self, String unique)
      throws IOException {
    String prefix = place(plan.intent());
    String id = plan.commit().undoId(unique);
    JobCommit commit =
        new JobCommit(means, new Output(table, prefix), started -> self.apply(id, started));
    plan.removed().forEach(commit::replace);
    commit.check(() -> requireNoOther(plan));
    commit.commit(List.copyOf(plan.restored()), plan.intent().marker());
  }

  private void requireNoOther(CommitToUndo plan) throws IOException {
    Known now = known(plan.commit());
    for (PastCommit other : now.commits()) {
      if (other.end() == End.DONE && !plan.known().contains(other.id())) {
        throw new RefusedException(
            "%s: %s has committed meanwhile. Nothing has changed; try again"
                .formatted(table, other.job()));
      }
    }
  }
}
