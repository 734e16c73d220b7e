/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import io.penstock.core.store.Operation;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The requests of one process or of several, in a span of time or in all.
 *
 * @param works sums by query and stage
 * @param paths sums by path, {@code bucket/prefix}; a path is most often a table
 * @param clients sums by the library that made them; without waits for permits
 * @param latencies by operation
 */
public record RequestAccount(
    Map<Work, RequestSums> works,
    Map<String, RequestSums> paths,
    Map<Client, RequestSums> clients,
    Map<Operation, LatencyCounts> latencies) {
  public static final RequestAccount NONE =
      new RequestAccount(Map.of(), Map.of(), Map.of(), Map.of());

  /** Returns the sums of both together. */
  public RequestAccount plus(RequestAccount other) {
    return plus(other, 1);
  }

  /** Returns what these sums have more than others, all of which are in them. */
  public RequestAccount minus(RequestAccount others) {
    return plus(others, -1);
  }

  private RequestAccount plus(RequestAccount other, int times) {
    Map<Operation, LatencyCounts> both = new EnumMap<>(Operation.class);
    both.putAll(latencies);
    other.latencies.forEach(
        (operation, counts) ->
            both.put(
                operation, both.getOrDefault(operation, LatencyCounts.none()).plus(counts, times)));
    return new RequestAccount(
        plus(works, other.works, times),
        plus(paths, other.paths, times),
        plus(clients, other.clients, times),
        both);
  }

  private static <K> Map<K, RequestSums> plus(
      Map<K, RequestSums> some, Map<K, RequestSums> more, int times) {
    Map<K, RequestSums> both = new HashMap<>(some);
    more.forEach(
        (key, sums) -> both.put(key, both.getOrDefault(key, RequestSums.NONE).plus(sums, times)));
    return both;
  }

  /** Returns the same sums, without the names of works and paths if there are more than so many. */
  public RequestAccount within(int namesMax) {
    if (works.size() <= namesMax && paths.size() <= namesMax) {
      return this;
    }
    RequestSums total = total();
    return new RequestAccount(
        Map.of(Work.REST, total), Map.of(RequestAccounts.REST, total), clients, latencies);
  }

  public boolean isEmpty() {
    return works.isEmpty();
  }

  /** Returns the sums of all requests. */
  public RequestSums total() {
    return works.values().stream().reduce(RequestSums.NONE, RequestSums::plus);
  }
}
