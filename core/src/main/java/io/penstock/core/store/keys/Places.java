/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import io.penstock.core.store.ListRequest;
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
   * if they are few, otherwise everything that begins as all keys do.
   */
  public static List<ListRequest> of(Collection<String> keys) {
    TreeSet<String> directories = new TreeSet<>();
    keys.forEach(key -> directories.add(directory(key)));
    if (directories.size() <= DIRECTORIES_MAX) {
      return directories.stream().map(ListRequest::level).toList();
    }
    // The first and the last differ as early as any two of them do.
    String first = directories.first();
    String last = directories.last();
    int same = 0;
    while (same < Math.min(first.length(), last.length())
        && first.charAt(same) == last.charAt(same)) {
      same++;
    }
    return List.of(ListRequest.flat(first.substring(0, same)));
  }
}
