/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts requests by operation. Counts each request before its client can see the response. */
public final class RequestCounts {
  /** The status that is counted for a request whose only response was a reset. */
  public static final int RESET = 0;

  private final TreeMap<String, Line> lines = new TreeMap<>();

  /**
   * The counts of one operation.
   *
   * @param statuses number of responses by status
   * @param bytesIn bytes of request bodies
   * @param bytesOut bytes of response bodies
   */
  public record Line(
      long requests, SortedMap<Integer, Long> statuses, long bytesIn, long bytesOut) {
    public Line {
      statuses = Collections.unmodifiableSortedMap(new TreeMap<>(statuses));
    }

    /**
     * Returns the number of responses whose status is of this class: 2 for success, 5 for server
     * errors.
     */
    public long ofClass(int hundreds) {
      return statuses.entrySet().stream()
          .filter(entry -> entry.getKey() / 100 == hundreds && entry.getKey() != RESET)
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    public long withStatus(int status) {
      return statuses.getOrDefault(status, 0L);
    }
  }

  /**
   * All counts at one moment, by operation names such as {@code PutObject}.
   *
   * @param lines only operations that were requested
   */
  public record Snapshot(SortedMap<String, Line> lines) {
    /** Returns how often each operation was requested. */
    public Map<String, Long> requests() {
      return lines.entrySet().stream()
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey,
                  entry -> entry.getValue().requests(),
                  Long::sum,
                  TreeMap::new));
    }

    public long total() {
      return lines.values().stream().mapToLong(Line::requests).sum();
    }

    /** Returns the number of requests of an operation; zero when it was never requested. */
    public long of(String apiName) {
      return lines.containsKey(apiName) ? lines.get(apiName).requests() : 0;
    }

    public long withStatus(int status) {
      return lines.values().stream().mapToLong(line -> line.withStatus(status)).sum();
    }

    public long bytesIn() {
      return lines.values().stream().mapToLong(Line::bytesIn).sum();
    }

    public long bytesOut() {
      return lines.values().stream().mapToLong(Line::bytesOut).sum();
    }
  }

  synchronized void add(String apiName, int status, long bytesIn, long bytesOut) {
    merge(apiName, new Line(1, new TreeMap<>(Map.of(status, 1L)), bytesIn, bytesOut));
  }

  /** Adds bytes to the response of a request that has been counted already. */
  synchronized void addBytesOut(String apiName, long bytesOut) {
    merge(apiName, new Line(0, new TreeMap<>(), 0, bytesOut));
  }

  private void merge(String apiName, Line more) {
    lines.merge(
        apiName,
        more,
        (old, added) -> {
          TreeMap<Integer, Long> statuses = new TreeMap<>(old.statuses());
          added.statuses().forEach((status, count) -> statuses.merge(status, count, Long::sum));
          return new Line(
              old.requests() + added.requests(),
              statuses,
              old.bytesIn() + added.bytesIn(),
              old.bytesOut() + added.bytesOut());
        });
  }

  public synchronized Snapshot snapshot() {
    return new Snapshot(Collections.unmodifiableSortedMap(new TreeMap<>(lines)));
  }

  public synchronized void reset() {
    lines.clear();
  }
}
