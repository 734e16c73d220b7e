/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.upload.InlineBudget;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this process knows about a job that has not ended: the attempts of its tasks here, and the
 * uploads that they have handed over to it. Not safe for use by many threads.
 */
final class JobLife {
  private final Map<String, Attempt> attempts = new HashMap<>();

  /** The uploads whose attempts have committed, with their stores. */
  private final Map<Upload, ObjectStore> handedOver = new LinkedHashMap<>();

  private boolean isRemembered;

  /** An attempt's pending files, in the order of their creation. */
  private static final class Attempt {
    private final Map<ObjectKey, PendingFile> files = new LinkedHashMap<>();

    /** The bytes that the attempt's message may carry. */
    private InlineBudget budget = InlineBudget.none();
  }

  /** Returns true if the uploads that tasks hand over are kept until the job ends. */
  boolean isRemembered() {
    return isRemembered;
  }

  void remember() {
    isRemembered = true;
  }

  /** Returns true if nothing is lost when this object is forgotten. */
  boolean isOver() {
    return attempts.isEmpty() && !isRemembered;
  }

  void begin(String attempt, InlineBudget budget) {
    attempt(attempt).budget = budget;
  }

  InlineBudget budget(String attempt) {
    Attempt own = attempts.get(attempt);
    return own == null ? InlineBudget.none() : own.budget;
  }

  /** Adds a file, and returns the earlier one of the same key. */
  Optional<PendingFile> add(String attempt, PendingFile file) {
    return Optional.ofNullable(attempt(attempt).files.put(file.at(), file));
  }

  private Attempt attempt(String name) {
    return attempts.computeIfAbsent(name, own -> new Attempt());
  }

  Collection<PendingFile> files(String attempt) {
    Attempt own = attempts.get(attempt);
    return own == null ? List.of() : own.files.values();
  }

  Optional<PendingFile> find(String attempt, ObjectKey at) {
    Attempt own = attempts.get(attempt);
    return own == null ? Optional.empty() : Optional.ofNullable(own.files.get(at));
  }

  Optional<PendingFile> remove(String attempt, ObjectKey at) {
    Attempt own = attempts.get(attempt);
    return own == null ? Optional.empty() : Optional.ofNullable(own.files.remove(at));
  }

  /** Ends an attempt and returns its files. */
  List<PendingFile> end(String attempt) {
    List<PendingFile> files = List.copyOf(files(attempt));
    attempts.remove(attempt);
    return files;
  }

  void handOver(ObjectStore store, PendingUpload pending) {
    handedOver.put(pending.upload(), store);
  }

  /** Forgets the uploads that were handed over, and returns them with their stores. */
  Map<Upload, ObjectStore> takeHandedOver() {
    Map<Upload, ObjectStore> taken = new LinkedHashMap<>(handedOver);
    handedOver.clear();
    isRemembered = false;
    return taken;
  }

  /** Forgets the attempts that have no files: not every committer ends those. */
  void dropIdleAttempts() {
    attempts.values().removeIf(attempt -> attempt.files.isEmpty());
  }

  /** Returns how many attempts have files. */
  int attemptsWithFiles() {
    return (int) attempts.values().stream().filter(attempt -> !attempt.files.isEmpty()).count();
  }
}
