/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.core.metrics.StoreMetrics.Retries;
import io.penstock.core.metrics.StoreMetrics.Waits;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.store.Operation;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counts of one process or of several, up to a moment.
 *
 * @param counts operations that never happened may be missing
 * @param clients the attempts of each library; those that made none may be missing
 */
public record MetricsSnapshot(
    Map<Operation, Count> counts,
    Map<Client, Long> clients,
    Waits waits,
    Retries retries,
    HedgeMetrics.Count hedges) {
  /** The counts of a process that has sent no request. */
  public static final MetricsSnapshot NONE =
      new MetricsSnapshot(
          Map.of(),
          Map.of(),
          new Waits(0, 0),
          Retries.NONE,
          new HedgeMetrics.Count(0, 0, 0, 0, 0, 0));

  /** Returns the counts of both together. */
  public MetricsSnapshot plus(MetricsSnapshot other) {
    return plus(other, 1);
  }

  /** Returns what these counts have more than an earlier snapshot of the same. */
  public MetricsSnapshot minus(MetricsSnapshot earlier) {
    return plus(earlier, -1);
  }

  private MetricsSnapshot plus(MetricsSnapshot other, int times) {
    Map<Operation, Count> sums = new EnumMap<>(Operation.class);
    sums.putAll(counts);
    other.counts.forEach(
        (operation, count) -> sums.put(operation, of(operation).plus(count, times)));
    Map<Client, Long> attempts = new EnumMap<>(Client.class);
    attempts.putAll(clients);
    other.clients.forEach((client, count) -> attempts.merge(client, times * count, Long::sum));
    return new MetricsSnapshot(
        sums,
        attempts,
        waits.plus(other.waits, times),
        retries.plus(other.retries, times),
        hedges.plus(other.hedges, times));
  }

  /** Returns the counts of an operation. */
  public Count of(Operation operation) {
    return counts.getOrDefault(operation, Count.NONE);
  }

  /** Returns the number of attempts of a library. */
  public long of(Client client) {
    return clients.getOrDefault(client, 0L);
  }

  /** Returns the counts of all operations together. */
  public Count total() {
    return counts.values().stream().reduce(Count.NONE, (some, more) -> some.plus(more, 1));
  }
}
