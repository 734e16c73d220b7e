/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import io.penstock.core.store.ListRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** The listings that show a set of keys. */
public final class Places {
  /** With more directories, one listing of what is above them takes fewer requests, as a rule. */
  private static final int DIRECTORIES_MAX = 16;

  private Places() {}

  /** Returns the directory of a key: what is before its last slash, with the slash. */
  public static String directory(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  /**
   * Returns the first requests of listings that show each of these keys, and others: each directory
   * by itself, unless many of them are in one table. These are shown by one listing of everything
   * that begins as they do.
   *
   * @param table prefix of the table; empty if it is a whole bucket
   */
  public static List<ListRequest> of(Collection<String> keys, String table) {
    TreeSet<String> directories = new TreeSet<>();
    keys.forEach(key -> directories.add(directory(key)));
    TreeSet<String> inside = new TreeSet<>(directories);
    inside.removeIf(directory -> !directory.startsWith(table));
    List<ListRequest> requests = new ArrayList<>();
    if (inside.size() > DIRECTORIES_MAX) {
      directories.removeAll(inside);
      requests.add(ListRequest.flat(common(inside.first(), inside.last())));
    }
    directories.forEach(directory -> requests.add(ListRequest.level(directory)));
    return requests;
  }

  /** Returns what two texts begin with. The first and the last of a sorted set suffice for all. */
  private static String common(String first, String last) {
    int same = 0;
    while (same < Math.min(first.length(), last.length())
        && first.charAt(same) == last.charAt(same)) {
      same++;
    }
    return first.substring(0, same);
  }
}
