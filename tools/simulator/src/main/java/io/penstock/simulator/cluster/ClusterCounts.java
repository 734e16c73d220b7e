/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Counts the requests of a cluster and their responses. */
final class ClusterCounts {
  private static final class Count {
    private long sent;
    private long ok;
    private long throttled;
  }

  private final Map<Api, Count> counts = new EnumMap<>(Api.class);
  private long failed;
  private long sleptNanos;
  private int[][] perSecond = new int[3][64];
  private int seconds;

  ClusterCounts() {
    for (Api api : Api.values()) {
      counts.put(api, new Count());
    }
  }

  void sent(Api api, long now) {
    counts.get(api).sent++;
    count(0, now);
  }

  void ok(Api api, long now) {
    counts.get(api).ok++;
    count(1, now);
  }

  void throttled(Api api, long now) {
    counts.get(api).throttled++;
    count(2, now);
  }

  void failed() {
    failed++;
  }

  /**
   * Records how long after the end of a storm a request that the storm rejected was tried again.
   * Negative when it was tried again before the end.
   */
  void sleptInto(long calmNanos) {
    sleptNanos = Math.max(sleptNanos, calmNanos);
  }

  private void count(int what, long now) {
    int second = (int) (now / 1_000_000_000);
    if (second >= perSecond[0].length) {
      for (int i = 0; i < perSecond.length; i++) {
        perSecond[i] = Arrays.copyOf(perSecond[i], Math.max(second + 1, 2 * second));
      }
    }
    perSecond[what][second]++;
    seconds = Math.max(seconds, second + 1);
  }

  long sent(Api api) {
    return counts.get(api).sent;
  }

  long throttled(Api api) {
    return counts.get(api).throttled;
  }

  long failedRequests() {
    return failed;
  }

  long longestSleepIntoCalmNanos() {
    return sleptNanos;
  }

  long sentAll() {
    return counts.values().stream().mapToLong(count -> count.sent).sum();
  }

  long okAll() {
    return counts.values().stream().mapToLong(count -> count.ok).sum();
  }

  long throttledAll() {
    return counts.values().stream().mapToLong(count -> count.throttled).sum();
  }

  int[] sentPerSecond() {
    return Arrays.copyOf(perSecond[0], seconds);
  }

  int[] okPerSecond() {
    return Arrays.copyOf(perSecond[1], seconds);
  }

  int[] throttledPerSecond() {
    return Arrays.copyOf(perSecond[2], seconds);
  }
}
