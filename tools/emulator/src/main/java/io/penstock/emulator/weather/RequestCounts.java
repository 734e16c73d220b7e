/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts requests by operation. A request is counted before its answer can be seen. */
public final class RequestCounts {
  /** The status under which a request is counted that got no answer but a reset. */
  public static final int RESET = 0;

  private final TreeMap<String, Line> lines = new TreeMap<>();

  /**
   * The requests of one operation.
   *
   * @param statuses how often each was answered
   * @param bytesIn of request bodies
   * @param bytesOut of answers' bodies
   */
  public record Line(
      long requests, SortedMap<Integer, Long> statuses, long bytesIn, long bytesOut) {
    public Line {
      statuses = Collections.unmodifiableSortedMap(new TreeMap<>(statuses));
    }

    /**
     * Returns how many were answered with a status of this hundred: 2 for success, 5 for failure.
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
   * All counts at one moment, by names such as {@code PutObject}.
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

    /** Zero when it was never requested. */
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

  /** More bytes of an answer that is counted already. */
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
