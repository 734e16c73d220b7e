/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.tables.Table;
import java.util.HashMap;
import java.util.Map;

/** Finds the deepest prefix that still has most of the throttled requests. */
final class PrefixSearch {
  /**
   * Deeper than the partitions of any table. Ends the search in a key that consists of slashes
   * only.
   */
  private static final int DEPTH_MAX = 64;

  record Found(String prefix, long throttled, int children) {}

  private PrefixSearch() {}

  /**
   * Searches downward from a bucket as long as one child holds at least this share of its parent's
   * throttled requests.
   *
   * @param dirs a table with the columns bucket, dir and throttled
   */
  static Found search(Table dirs, double share) {
    Found at = deepest(children(dirs, ""), 0);
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      Map<String, Long> below = children(dirs, at.prefix());
      at = new Found(at.prefix(), at.throttled(), below.size());
      Found next = deepest(below, share * at.throttled());
      if (next.prefix().isEmpty()) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private static Found deepest(Map<String, Long> throttled, double atLeast) {
    String most = "";
    for (Map.Entry<String, Long> entry : throttled.entrySet()) {
      boolean isMore = most.isEmpty() || entry.getValue() > throttled.get(most);
      if (isMore && entry.getValue() >= atLeast) {
        most = entry.getKey();
      }
    }
    return new Found(most, throttled.getOrDefault(most, 0L), 0);
  }

  private static Map<String, Long> children(Table dirs, String prefix) {
    Map<String, Long> children = new HashMap<>();
    for (int row = 0; row < dirs.rows().size(); row++) {
      String path = dirs.text(row, "bucket") + "/" + dirs.text(row, "dir");
      int slash = path.startsWith(prefix) ? path.indexOf('/', prefix.length()) : -1;
      if (slash >= 0) {
        children.merge(path.substring(0, slash + 1), dirs.count(row, "throttled"), Long::sum);
      }
    }
    return new java.util.TreeMap<>(children);
  }
}
