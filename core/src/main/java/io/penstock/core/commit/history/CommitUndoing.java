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
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.versions.ObjectVersion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes back a commit to a table in a bucket that keeps versions: removes the files that it made
 * visible, and restores the objects that it replaced. This is a commit itself: readers see all of
 * it or nothing, whoever finds it half done can finish it, and it can be taken back, too.
 */
public final class CommitUndoing {
  /** The clocks of drivers may differ by so much: names of intents begin with their time. */
  private static final Duration SKEW_MAX = Duration.ofDays(2);

  /** Longer than the last deletion of a driver that was taken for dead can be under way. */
  private static final Duration SETTLING = Duration.ofMinutes(5);

  /** The id of a Spark job, which most names of files have in them. */
  private static final Pattern JOB_ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** A key that was deleted more often is not restored. */
  private static final int MARKERS_MAX = 100;

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

  private Known known(PastCommit commit) throws IOException {
    return history.since(commit.began().minus(SKEW_MAX));
  }

  /**
   * Returns true unless the object says something of a job's output: its {@code _SUCCESS}, an
   * object that stands for a directory, or one at the output's own key, which need not exist.
   */
  static boolean isData(ObjectKey key, Intent intent) {
    String place = place(intent);
    return !SuccessMarker.isOne(key.key())
        && !key.key().endsWith("/")
        && !place.equals(key.key() + "/");
  }

  /** Returns true if the object is the record of a commit with a name. */
  static boolean isRecord(ObjectKey key) {
    return key.key().substring(key.key().lastIndexOf('/') + 1).startsWith(DoneCommits.NAME);
  }

  /** Returns the prefix of the job's output. */
  private static String place(Intent intent) {
    String marker = intent.markerKey();
    return marker.substring(0, marker.length() - SuccessMarker.NAME.length());
  }

  /**
   * Finds out what it takes to take a commit back. Changes nothing.
   *
   * @param spares whether directories that later commits have changed stay as they are, and the
   *     rest of the commit is taken back
   * @throws RefusedException if it cannot be taken back; the message says why and what to do
   */
  public CommitToUndo plan(PastCommit commit, boolean spares) throws IOException {
    requireEnded(commit);
    Known known = known(commit);
    Intent intent = known.intent(commit).orElseThrow(() -> forgotten(commit));
    Replaced replaced = known.replaced(commit).orElseThrow(() -> forgotten(commit));
    requireOwnNames(intent, replaced);
    Map<ObjectKey, Condition> old = new LinkedHashMap<>(replaced.old());
    old.keySet().removeIf(key -> !isData(key, intent));
    Objections objections = new Objections();
    LaterCommits later = LaterCommits.than(commit, known, table, means.pool());
    Map<ObjectKey, TaskFile> written = new LinkedHashMap<>();
    intent.files().forEach(file -> written.put(ObjectKey.of(file), file));
    Set<ObjectKey> all = new HashSet<>(written.keySet());
    all.addAll(old.keySet());
    KeyVersions versions = KeyVersions.of(all, means.stores(), table);
    Instant ended = commit.ended().orElseThrow();
    written.forEach(
        (key, file) -> objectToRemoval(file, intent.isOwn(file), versions, ended, objections));
    boolean isAnyGone = written.isEmpty() || !objections.isEmpty();
    later.objectTo(
        intent, new Replaced(replaced.hadMarker(), old, Set.of()), isAnyGone, objections);
    old.forEach((key, condition) -> objectToRestoring(key, condition, versions, objections));
    objectToOthers(old.keySet(), versions, known, ended, objections);
    if (!objections.isEmpty() && !spares) {
      throw new RefusedException(
          "%s cannot be taken back, because %s. Take back later commits first, the newest one first, or leave such directories as they are (--unchanged-only)"
              .formatted(commit.job(), objections));
    }
    written.keySet().removeIf(objections::concern);
    old.keySet().removeIf(key -> isRecord(key) ? !objections.isEmpty() : objections.concern(key));
    return planned(commit, intent, written.keySet(), old.keySet(), versions, objections, known);
  }

  private void requireEnded(PastCommit commit) throws RefusedException {
    String why =
        switch (commit.end()) {
          case DONE -> "";
          case OPEN -> "has not ended. See 'penstock recover %s'".formatted(table);
          case UNDONE -> "has failed, or had nothing to do: it has changed nothing";
          case UNKNOWN -> "is not known well enough: the bucket has not kept all its versions";
        };
    if (!why.isEmpty()) {
      throw new RefusedException(commit.job() + " " + why);
    }
    if (commit.endedByOther().isEmpty()) {
      return;
    }
    Instant settled =
        commit.endedByOther().get().plus(means.config().storeWaitMax()).plus(SETTLING);
    if (means.time().now().isBefore(settled)) {
      throw new RefusedException(
          "another process has ended the commit of %s, whose driver seemed to be dead. It may still send a deletion, which would delete what is restored: try again after %s"
              .formatted(commit.job(), settled.truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  private CommitToUndo planned(
      PastCommit commit,
      Intent intent,
      Set<ObjectKey> written,
      Set<ObjectKey> old,
      KeyVersions versions,
      Objections objections,
      Known known)
      throws IOException {
    Map<ObjectKey, Condition> removed = new LinkedHashMap<>();
    long removedBytes = 0;
    for (ObjectKey key : written) {
      ObjectVersion version = versions.newest(key).orElseThrow();
      removedBytes += version.sizeBytes();
      removed.put(key, Condition.ifMatch(version.etag()));
    }
    if (objections.isEmpty()) {
      removed.putAll(record(intent));
    }
    List<RestoredFile> restored = new ArrayList<>();
    for (ObjectKey key : old) {
      ObjectVersion version = versions.newest(key).orElseThrow();
      restored.add(
          new RestoredFile(
              key.bucket(), key.key(), version.sizeBytes(), version.etag(), versions.markers(key)));
    }
    return new CommitToUndo(
        commit,
        intent,
        removed,
        removedBytes,
        restored,
        objections.reasons(),
        overwrites(known).map(PastCommit::id).collect(Collectors.toSet()));
  }

  /** Returns the commits that may have replaced something. */
  private static Stream<PastCommit> overwrites(Known known) {
    return known.commits().stream()
        .filter(commit -> commit.isAlone())
        .filter(commit -> commit.end() == End.DONE || commit.end() == End.UNKNOWN);
  }

  /**
   * Returns the record of a commit with a name, if there is one. Without it, a job of the same name
   * writes again.
   */
  private Map<ObjectKey, Condition> record(Intent intent) throws IOException {
    if (intent.name().isEmpty()) {
      return Map.of();
    }
    String key =
        new DoneCommits(means.stores(), table, means.pool())
            .key(intent.name().get(), place(intent).substring(table.prefix().length()));
    try {
      String etag = means.stores().of(table.bucket()).head(key).etag();
      return Map.of(new ObjectKey(table.bucket(), key), Condition.ifMatch(etag));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Map.of();
      }
      throw e;
    }
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
  private static void requireOwnNames(Intent intent, Replaced replaced) throws RefusedException {
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
   * @param isOwn whether no other job writes to the key, so that the time of the file does not
   *     matter
   */
  private void objectToRemoval(
      TaskFile file, boolean isOwn, KeyVersions versions, Instant ended, Objections objections) {
    ObjectKey key = ObjectKey.of(file);
    Optional<ObjectVersion> newest = versions.newest(key);
    boolean isThere =
        newest
            .filter(ObjectVersion::isLatest)
            .filter(version -> version.sizeBytes() == file.sizeBytes())
            .filter(version -> isOwn || !version.lastModified().isAfter(ended))
            .isPresent();
    if (!isThere) {
      objections.add(key, "%s was deleted or written since".formatted(key));
    } else if (isLostElsewhere(newest.get(), key)) {
      objections.add(key, "%s is in a bucket that keeps no versions".formatted(key));
    }
  }

  private void objectToRestoring(
      ObjectKey key, Condition condition, KeyVersions versions, Objections objections) {
    Optional<ObjectVersion> newest = versions.newest(key);
    List<String> markers = versions.markers(key);
    boolean isOther =
        condition
            .etagToDelete()
            .filter(etag -> newest.isPresent() && !Etags.match(etag, newest.get().etag()))
            .isPresent();
    if (newest.isEmpty()) {
      objections.add(key, "no version of %s is left".formatted(key));
    } else if (newest.get().isLatest() || markers.isEmpty()) {
      objections.add(key, "%s exists again".formatted(key));
    } else if (isOther) {
      objections.add(key, "%s was written and deleted since".formatted(key));
    } else if (newest.get().isArchived()) {
      objections.add(key, "%s is archived; fetch it back first".formatted(key));
    } else if (markers.contains(ObjectVersion.NULL)) {
      objections.add(key, "%s was deleted while the bucket kept no versions".formatted(key));
    } else if (markers.size() > MARKERS_MAX) {
      objections.add(key, "%s was deleted %,d times".formatted(key, markers.size()));
    } else if (condition.etagToDelete().isEmpty() && versions.hasOtherContent(key)) {
      objections.add(key, "nobody knows which version of %s it was".formatted(key));
    } else if (isLostElsewhere(newest.get(), key)) {
      objections.add(key, "%s was written while the bucket kept no versions".formatted(key));
    }
  }

  /** Only of the table's own bucket is it known, behind the fence, that it keeps versions. */
  private boolean isLostElsewhere(ObjectVersion version, ObjectKey key) {
    return version.versionId().equals(ObjectVersion.NULL) && !key.bucket().equals(table.bucket());
  }

  /**
   * Objects where files are to be restored beside others that were written since, and not by a
   * known commit: nobody knows whether those were to replace what is to be restored.
   */
  private static void objectToOthers(
      Set<ObjectKey> old, KeyVersions versions, Known known, Instant ended, Objections objections) {
    Set<String> directories = new HashSet<>();
    old.forEach(key -> directories.add(Objections.directory(key)));
    Set<String> jobs = new HashSet<>();
    for (PastCommit commit : known.commits()) {
      if (commit.end() == End.DONE || commit.end() == End.OPEN) {
        jobs.add(commit.job());
        jobs.add(commit.job().replaceFirst("-[0-9]{1,3}$", "")); // of another turn
      }
    }
    versions
        .others()
        .forEach(
            (key, version) -> {
              String name = key.key().substring(key.key().lastIndexOf('/') + 1);
              boolean isHidden = name.isEmpty() || name.startsWith("_") || name.startsWith(".");
              if (!isHidden
                  && version.lastModified().isAfter(ended)
                  && directories.contains(Objections.directory(key))
                  && !isOfOne(jobs, key.key())) {
                objections.add(
                    key, "%s was written since by a commit that is not known".formatted(key));
              }
            });
  }

  /** Returns true if the key has the id of one of the jobs in it. */
  private static boolean isOfOne(Set<String> jobs, String key) {
    Matcher id = JOB_ID.matcher(key);
    while (id.find()) {
      if (jobs.contains(id.group())) {
        return true;
      }
    }
    return jobs.stream().anyMatch(job -> Intent.isOwn(job, key));
  }

  /**
   * Takes the commit back. Waits for jobs that commit to the table.
   *
   * @param self returns this process for the id and the start of its commit
   * @param unique makes the id of the commit one that no other has
   * @return the id of the job that has done it
   * @throws RefusedException if the table has changed since the plan was made
   * @throws IOException if it fails; see {@link JobCommit#commit}
   */
  public String run(
      CommitToUndo plan, BiFunction<String, Instant, CommittingJob> self, String unique)
      throws IOException {
    String id = PastCommit.undoId(unique, plan.intent().job().id());
    JobCommit commit =
        new JobCommit(
            means, new Output(table, place(plan.intent())), started -> self.apply(id, started));
    for (Map.Entry<ObjectKey, Condition> one : plan.removed().entrySet()) {
      ObjectKey key = one.getKey();
      boolean isCompared = means.stores().of(key.bucket()).traits().comparesEtagsInBulk();
      commit.replace(key, isCompared ? one.getValue() : Condition.NONE);
    }
    commit.check(
        () -> {
          Known now = known(plan.commit());
          requireKept(now, id);
          requireNoOther(now, plan);
          new TableAsPlanned(means.stores(), table).require(plan);
        });
    commit.commit(List.copyOf(plan.restored()), plan.intent().marker());
    return id;
  }

  /**
   * Checks that the bucket keeps versions now: what is deleted would be lost otherwise.
   *
   * @param id of the job that takes the commit back; its intent is there now
   */
  private void requireKept(Known now, String id) throws RefusedException {
    boolean isKept =
        now.commits().stream()
            .filter(commit -> commit.isOf(id))
            .reduce((one, turn) -> turn)
            .filter(now::isKept)
            .isPresent();
    if (!isKept) {
      throw new RefusedException(
          "%s: the bucket does not keep versions now, so what is deleted would be lost. Nothing has changed"
              .formatted(table));
    }
  }

  private void requireNoOther(Known now, CommitToUndo plan) throws RefusedException {
    Optional<PastCommit> other =
        overwrites(now).filter(commit -> !plan.known().contains(commit.id())).findFirst();
    if (other.isPresent()) {
      throw new RefusedException(
          "%s: %s has committed meanwhile. Nothing has changed; try again"
              .formatted(table, other.get().job()));
    }
  }
}
