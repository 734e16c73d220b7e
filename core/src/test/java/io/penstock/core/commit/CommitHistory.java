/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says what a table may hold after some jobs that committed to it at once. It knows what jobs are
 * for, and nothing of how they commit. A state of the table is who wrote what is at each key.
 */
final class CommitHistory {
  /** The files that an undo brings back. */
  static final Map<String, String> GOOD = Map.of("t/p=1/good", "good", "t/p=2/good", "good");

  /** The files that it takes away. */
  static final Map<String, String> BAD = Map.of("t/p=1/bad", "bad", "t/p=2/bad", "bad");

  private CommitHistory() {}

  /** The effect of a job on a table. */
  enum Sort {
    APPEND,
    OVERWRITE,
    /** Replaces the partitions that it has files for. */
    DYNAMIC,
    /** Writes names that others write too, as jobs of RDDs do, and replaces nothing else. */
    FIXED_NAMES,
    /** Takes the job {@code bad} back, which has replaced the files of {@code good}. */
    UNDO
  }

  /** The end of a job, as its caller knows it. */
  enum Outcome {
    COMMITTED,
    FAILED,
    /** It died, or its commit could not be brought to its end. */
    UNKNOWN
  }

  /** A job, and how it ended. */
  static final class Job {
    final String id;
    final Sort sort;
    final Set<String> keys = new TreeSet<>();
    Outcome outcome = Outcome.UNKNOWN;

    Job(String id, Sort sort) {
      this.id = id;
      this.sort = sort;
    }

    /** The prefixes under which a dynamic overwrite replaces what is there. */
    Set<String> partitions() {
      Set<String> partitions = new TreeSet<>();
      keys.forEach(key -> partitions.add(key.substring(0, key.lastIndexOf('/') + 1)));
      return partitions;
    }

    Map<String, String> appliedTo(Map<String, String> before) {
      Map<String, String> after = new TreeMap<>(before);
      switch (sort) {
        case OVERWRITE -> after.clear();
        case DYNAMIC ->
            after.keySet().removeIf(key -> partitions().stream().anyMatch(key::startsWith));
        case APPEND, FIXED_NAMES -> {}
        case UNDO -> {
          // Once another overwrite has replaced any of it, nothing is taken back.
          if (before.keySet().containsAll(BAD.keySet())) {
            after.keySet().removeAll(BAD.keySet());
            after.putAll(GOOD);
          }
        }
      }
      keys.forEach(key -> after.put(key, id));
      return after;
    }

    /** An object that was overwritten in place cannot be brought back. */
    private Set<Map<String, String>> undoneAfter(Map<String, String> before) {
      Set<Map<String, String>> states = new HashSet<>(Set.of(before));
      if (sort == Sort.FIXED_NAMES) {
        for (String key : keys) {
          if (before.containsKey(key)) {
            for (Map<String, String> state : List.copyOf(states)) {
              Map<String, String> more = new TreeMap<>(state);
              more.put(key, id);
              states.add(more);
            }
          }
        }
      }
      return states;
    }

    @Override
    public String toString() {
      return id + ": " + sort + " " + keys + ": " + outcome;
    }
  }

  /** Returns each table that some order of some of the jobs leaves, committed or undone. */
  static Set<Map<String, String>> possible(Map<String, String> old, List<Job> jobs) {
    Set<Map<String, String>> states = new HashSet<>();
    apply(old, jobs, states, false);
    return states;
  }

  /**
   * Returns each table that may be left in the end: all committed jobs have had their effect, none
   * that failed has, and the others have or have not.
   */
  static Set<Map<String, String>> ends(Map<String, String> old, List<Job> jobs) {
    Set<Map<String, String>> states = new HashSet<>();
    apply(old, jobs, states, true);
    return states;
  }

  private static void apply(
      Map<String, String> state, List<Job> rest, Set<Map<String, String>> states, boolean isEnd) {
    if (!isEnd || rest.stream().noneMatch(job -> job.outcome == Outcome.COMMITTED)) {
      states.add(state);
    }
    for (Job job : rest) {
      List<Job> others = new ArrayList<>(rest);
      others.remove(job);
      if (!isEnd || job.outcome != Outcome.FAILED) {
        apply(job.appliedTo(state), others, states, isEnd);
      }
      if (!isEnd || job.outcome != Outcome.COMMITTED) {
        for (Map<String, String> undone : job.undoneAfter(state)) {
          if (!undone.equals(state)) {
            apply(undone, others, states, isEnd);
          }
        }
      }
    }
  }
}
