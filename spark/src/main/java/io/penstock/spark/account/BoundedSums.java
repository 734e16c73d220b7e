/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.RequestSums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Sums by name, of which there may be very many: above a limit, those with fewest requests are
 * summed under one name, but not those that grew last, because they may grow further. For one
 * thread.
 */
final class BoundedSums<K> {
  private static final Comparator<Map.Entry<?, RequestSums>> MOST_REQUESTS =
      Comparator.comparingLong((Map.Entry<?, RequestSums> entry) -> entry.getValue().requests())
          .reversed();

  /** One in so many stays because it grew last, and as many because they have most requests. */
  private static final int SHARE = 4;

  private final Map<K, RequestSums> sums = new LinkedHashMap<>(16, 0.75f, true);
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
      List<Map.Entry<K, RequestSums>> entries = new ArrayList<>();
      sums.forEach((name, some) -> entries.add(Map.entry(name, some)));
      List<Map.Entry<K, RequestSums>> older = entries.subList(0, entries.size() - max / SHARE);
      older.sort(MOST_REQUESTS);
      for (Map.Entry<K, RequestSums> entry : older.subList(max / SHARE, older.size())) {
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

  /** Calls for each name. */
  void forEach(BiConsumer<K, RequestSums> action) {
    sums.forEach(action);
  }
}
