/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What one process does to the table {@code t/}, as its caller means it, and what it reported. A
 * state of the bucket is who wrote what is at each key.
 */
final class Doing {
  /** Kinds of work. */
  enum Kind {
    APPEND,
    OVERWRITE,
    /** Replaces the partitions that it has files for. */
    DYNAMIC,
    /** Writes names that others write too, as jobs of RDDs do, and replaces nothing else. */
    FIXED_NAMES,
    /** Fails if there is something. */
    ERROR_IF_EXISTS,
    /** Does nothing if there is something. */
    IGNORE,
    DELETE,
    DELETE_PARTITION,
    /** Renames {@code t} to {@code u}. */
    RENAME;

    boolean isJob() {
      return !Set.of(DELETE, DELETE_PARTITION, RENAME).contains(this);
    }
  }

  /** The answer that the caller was given. */
  enum Outcome {
    DONE,
    FAILED,
    /** It died, or said that its end is open. */
    UNKNOWN
  }

  /** In a state, stands for the {@code _SUCCESS} of a table that may have no rows. */
  private static final String TABLE = "t/_SUCCESS";

  /** In a state, stands for the commits with this name that have happened. */
  private static final String DONE = "t/_done_";

  final String id;
  final Kind kind;
  final Set<String> keys;
  Outcome outcome = Outcome.UNKNOWN;

  /** The choice of inline files: 0 for none, 1 for all, 2 for some. */
  int inline;

  /** True if the process has the right to delete. */
  boolean mayDelete = true;

  /** A part of the keys that the process may not write; empty for none. */
  String unwritable = "";

  /** True if it was not let write {@code _SUCCESS}: the table without its rows may be none. */
  boolean mayLackMarker;

  /** The name under which the commit happens once; empty for none. */
  String name = "";

  boolean hasBegun;
  boolean hasEnded;

  Doing(String id, Kind kind, Set<String> keys) {
    this.id = id;
    this.kind = kind;
    this.keys = keys;
  }

  boolean isInline(String key) {
    return inline == 1 || (inline == 2 && !key.contains("part-0"));
  }

  /** Returns true if the process lacks a right for good. */
  boolean lacksRight() {
    return !mayDelete || !unwritable.isEmpty();
  }

  /** Returns true if the process may make such a request. */
  boolean may(Operation operation, String key) {
    return switch (operation) {
      case DELETE, DELETE_ALL -> mayDelete;
      case PUT, CREATE_UPLOAD, UPLOAD_PART, COMPLETE_UPLOAD, COPY ->
          unwritable.isEmpty() || !key.contains(unwritable);
      default -> true;
    };
  }

  /** The prefixes under which a dynamic overwrite replaces what is there. */
  Set<String> partitions() {
    Set<String> partitions = new TreeSet<>();
    keys.forEach(key -> partitions.add(key.substring(0, key.lastIndexOf('/') + 1)));
    return partitions;
  }

  /** Returns the states after this; none if this cannot come after that state. */
  private List<Map<String, String>> after(Map<String, String> before) {
    Map<String, String> after = new TreeMap<>(before);
    if (before.containsKey(DONE + name)) {
      return List.of(after);
    }
    boolean isThere = before.keySet().stream().anyMatch(key -> key.startsWith("t/"));
    switch (kind) {
      case OVERWRITE ->
          after.keySet().removeIf(key -> key.startsWith("t/") && !key.startsWith(DONE));
      case DYNAMIC ->
          after.keySet().removeIf(key -> partitions().stream().anyMatch(key::startsWith));
      case APPEND, FIXED_NAMES -> {}
      case ERROR_IF_EXISTS -> {
        if (isThere) {
          return List.of();
        }
      }
      case IGNORE -> {
        if (isThere) {
          return List.of(after);
        }
      }
      case DELETE -> after.keySet().removeIf(key -> key.startsWith("t/"));
      case DELETE_PARTITION -> after.keySet().removeIf(key -> key.startsWith("t/p=1/"));
      case RENAME -> {
        for (String key : before.keySet()) {
          if (key.startsWith("t/")) {
            after.put("u/" + key.substring(2), after.remove(key));
          }
        }
      }
    }
    keys.forEach(key -> after.put(key, id));
    if (!kind.isJob()) {
      return List.of(after);
    }
    Map<String, String> marked = new TreeMap<>(after);
    marked.put(TABLE, "");
    if (!name.isEmpty()) {
      marked.put(DONE + name, "");
      after.put(DONE + name, "");
    }
    return mayLackMarker ? List.of(marked, after) : List.of(marked);
  }

  /** Returns what this may leave when it fails or dies. */
  private Set<Map<String, String>> parts(Map<String, String> before) {
    Set<Map<String, String>> states = new HashSet<>(Set.of(before));
    switch (kind) {
      case FIXED_NAMES -> { // An object that was overwritten in place cannot be brought back.
        for (String key : keys) {
          if (before.containsKey(key)) {
            expand(states, state -> state.put(key, id));
          }
        }
      }
      default -> {}
    }
    return states;
  }

  private static void expand(Set<Map<String, String>> states, Consumer<Map<String, String>> step) {
    for (Map<String, String> state : List.copyOf(states)) {
      Map<String, String> more = new TreeMap<>(state);
      step.accept(more);
      states.add(more);
    }
  }

  /** Returns each state that some order of some of them leaves. */
  static Set<Map<String, String>> possible(Map<String, String> old, List<Doing> all) {
    return states(old, all, false);
  }

  /**
   * Returns each state that is right in the end: what reported success has had its effect, what
   * reported failure has not, and what died has or has not.
   */
  static Set<Map<String, String>> ends(Map<String, String> old, List<Doing> all) {
    return states(old, all, true);
  }

  private static Set<Map<String, String>> states(
      Map<String, String> old, List<Doing> all, boolean isEnd) {
    Set<Map<String, String>> states = new HashSet<>();
    apply(old, all, states, isEnd);
    Set<Map<String, String>> rows = new HashSet<>();
    for (Map<String, String> state : states) {
      Map<String, String> visible = new TreeMap<>(state);
      visible.keySet().removeIf(key -> key.endsWith("/_SUCCESS") || key.contains("/_done_"));
      rows.add(visible);
    }
    return rows;
  }

  private static void apply(
      Map<String, String> state, List<Doing> rest, Set<Map<String, String>> states, boolean isEnd) {
    if (!isEnd || rest.stream().noneMatch(one -> one.outcome == Outcome.DONE)) {
      states.add(state);
    }
    for (Doing one : rest) {
      List<Doing> others = new ArrayList<>(rest);
      others.remove(one);
      if (!isEnd || one.outcome != Outcome.FAILED) {
        one.after(state).forEach(after -> apply(after, others, states, isEnd));
      }
      if (isEnd ? one.outcome != Outcome.DONE : one.kind == Kind.FIXED_NAMES) {
        one.parts(state).stream()
            .filter(part -> !part.equals(state))
            .forEach(part -> apply(part, others, states, isEnd));
      }
    }
  }

  @Override
  public String toString() {
    return id
        + ": "
        + kind
        + (name.isEmpty() ? "" : " named " + name)
        + " "
        + keys
        + ": "
        + outcome;
  }
}
