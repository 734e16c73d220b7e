/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.RequestSums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums by name, of which there may be very many: above a limit, those with fewest requests are
 * summed under one name. For one thread.
 */
final class BoundedSums<K> {
  private static final Comparator<Map.Entry<?, RequestSums>> MOST_REQUESTS =
      Comparator.comparingLong((Map.Entry<?, RequestSums> entry) -> entry.getValue().requests())
          .reversed();

  private final Map<K, RequestSums> sums = new HashMap<>();
  private final int max;
  private final K rest;

  /**
   * @param rest the name for what has none of its own
   */
  BoundedSums(int max, K rest) {
    this.max = max;
    this.rest = rest;
  }

  void add(K key, RequestSums more) {
    sums.merge(key, more, RequestSums::plus);
    if (sums.size() > max) {
      // Keeps half, so that the next new name does not lead to another sort.
      List<Map.Entry<K, RequestSums>> entries = new ArrayList<>(Map.copyOf(sums).entrySet());
      entries.sort(MOST_REQUESTS);
      for (Map.Entry<K, RequestSums> entry : entries.subList(max / 2, entries.size())) {
        if (!entry.getKey().equals(rest)) {
          sums.remove(entry.getKey());
          sums.merge(rest, entry.getValue(), RequestSums::plus);
        }
      }
    }
  }

  Map<K, RequestSums> copy() {
    return Map.copyOf(sums);
  }
}
