/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.keys.KeyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups names by common starts, so that listings of the starts find all names of the groups and
 * nothing else twice: {@code day=2024-11-29/, day=2024-11-30/, day=2024-12-01/} are found by {@code
 * day=2024-11-} and {@code day=2024-12-01/}.
 */
final class CommonPrefixes {
  private CommonPrefixes() {}

  /**
   * Returns starts of the last names, in order, none of which begins another one. Every name from
   * the first start on begins with one of them, and no start is a start of a listed key. Names
   * before the first start may be left out; all are if there is no such grouping.
   *
   * @param names what is left to list, behind the listed key, without repetitions and in the order
   *     of {@link KeyOrder}
   * @param listed the last key that was listed
   * @param most the greatest number of starts
   */
  static List<String> of(List<String> names, String listed, int most) {
    List<Group> groups = new ArrayList<>();
    if (!names.isEmpty()) {
      groups.add(Group.of(names, 0, listed));
    }
    for (var next = largest(groups); next.isPresent(); next = largest(groups)) {
      int at = groups.indexOf(next.get());
      Group group = groups.remove(at);
      List<Group> parts = group.parts(listed);
      groups.addAll(at, starts(groups) + starts(parts) > most ? List.of(group.whole()) : parts);
    }
    return groups.stream().filter(group -> !group.isListed()).map(Group::start).toList();
  }

  private static Optional<Group> largest(List<Group> groups) {
    Group largest = null;
    for (Group group : groups) {
      boolean isLarger = largest == null || group.names().size() > largest.names().size();
      if (group.mayBeDivided() && isLarger) {
        largest = group;
      }
    }
    return Optional.ofNullable(largest);
  }

  private static long starts(List<Group> groups) {
    return groups.stream().filter(group -> !group.isListed()).count();
  }

  /**
   * Names with a common start.
   *
   * @param isListed true if the listed key begins like this, so that the start would find it again
   */
  private record Group(String start, List<String> names, boolean isListed, boolean mayBeDivided) {
    /**
     * @param at the length of a start that the names have in common
     */
    static Group of(List<String> names, int at, String listed) {
      String first = names.get(0);
      boolean isListed = listed.startsWith(first.substring(0, at));
      // The names are sorted: what the first and the last have in common, all have.
      int length = shared(first, names.get(names.size() - 1));
      if (isListed) {
        length = Math.min(length, shared(first, listed));
      }
      String start = first.substring(0, length);
      boolean isNextListed = listed.startsWith(start);
      boolean mayBeDivided = first.length() > length && (names.size() > 1 || isNextListed);
      return new Group(start, names, isNextListed, mayBeDivided);
    }

    Group whole() {
      return new Group(start, names, isListed, false);
    }

    /** Divides the names by the character behind their start. */
    List<Group> parts(String listed) {
      List<Group> parts = new ArrayList<>();
      int from = 0;
      for (int i = 1; i <= names.size(); i++) {
        if (i == names.size() || next(names.get(i)) != next(names.get(from))) {
          int at = start.length() + Character.charCount(next(names.get(from)));
          parts.add(of(names.subList(from, i), at, listed));
          from = i;
        }
      }
      return parts;
    }

    private int next(String name) {
      return name.codePointAt(start.length());
    }

    /** Returns the length of the common start, in whole characters. */
    private static int shared(String left, String right) {
      int at = 0;
      while (at < left.length() && at < right.length() && left.charAt(at) == right.charAt(at)) {
        at++;
      }
      return at > 0 && Character.isHighSurrogate(left.charAt(at - 1)) ? at - 1 : at;
    }
  }
}
