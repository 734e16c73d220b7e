/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.keys.KeyOrder;
import java.util.HashSet;
import java.util.Set;

/**
 * A prefix that has all keys which a stretch still has to list, and what the stretch has listed of
 * it. Not safe for several threads.
 */
final class Directory {
  /** A directory with more names is not worth dividing between them, and they need memory. */
  private static final int NAMES_MAX = 20_000;

  private final String prefix;
  private final String since;
  private final double expectedPages;
  private final Set<String> names = new HashSet<>();

  /** The directory of the last key; empty if that was an object. */
  private String group = "";

  private long pages;

  /**
   * @param since the last key that was listed before
   * @param expectedPages a guess of how many pages it has; 0 if there is none
   */
  Directory(String prefix, String since, double expectedPages) {
    this.prefix = prefix;
    this.since = since;
    this.expectedPages = expectedPages;
  }

  String prefix() {
    return prefix;
  }

  void addPage() {
    pages++;
  }

  long pages() {
    return pages;
  }

  /** Returns true if more pages than expected were listed, by so many. */
  boolean isLongerBy(int more) {
    return pages >= expectedPages + more && names.size() <= NAMES_MAX;
  }

  /** Notes a listed key. */
  void add(String key) {
    if (names.size() > NAMES_MAX || (!group.isEmpty() && key.startsWith(group))) {
      return;
    }
    int end = key.indexOf('/', prefix.length());
    group = end < 0 ? "" : key.substring(0, end + 1);
    names.add(group.isEmpty() ? key : group);
  }

  /**
   * Returns false if the name, or its keys, should have been listed and were not: the store does
   * not list in the order of its keys, or the name is new.
   */
  boolean hasPassed(String name) {
    boolean isOlder = KeyOrder.INSTANCE.compare(name, since) <= 0 || since.startsWith(name);
    return isOlder || names.contains(name);
  }
}
