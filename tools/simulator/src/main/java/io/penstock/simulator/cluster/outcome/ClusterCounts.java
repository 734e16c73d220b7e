/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Counts the requests of a cluster and their responses. */
public final class ClusterCounts {
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

  /** Creates counts of zero. */
  public ClusterCounts() {
    for (Api api : Api.values()) {
      counts.put(api, new Count());
    }
  }

  /** Counts an attempt that was sent. */
  public void sent(Api api, long now) {
    counts.get(api).sent++;
    count(0, now);
  }

  /** Counts an attempt that succeeded. */
  public void ok(Api api, long now) {
    counts.get(api).ok++;
    count(1, now);
  }

  /** Counts an attempt that was throttled. */
  public void throttled(Api api, long now) {
    counts.get(api).throttled++;
    count(2, now);
  }

  /** Counts a request that used up its attempts. */
  public void failed() {
    failed++;
  }

  /**
   * Records how long after the end of a storm a request that the storm rejected was tried again.
   * Negative when it was tried again before the end.
   */
  public void sleptInto(long calmNanos) {
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

  /** Returns the number of attempts of one operation. */
  public long sent(Api api) {
    return counts.get(api).sent;
  }

  /** Returns the number of throttled attempts of one operation. */
  public long throttled(Api api) {
    return counts.get(api).throttled;
  }

  /** Returns the number of requests that used up their attempts. */
  public long failedRequests() {
    return failed;
  }

  /**
   * Returns the longest time between the end of a storm and the next try of a request that it
   * rejected.
   */
  public long longestSleepIntoCalmNanos() {
    return sleptNanos;
  }

  /** Returns the number of attempts. */
  public long sentAll() {
    return counts.values().stream().mapToLong(count -> count.sent).sum();
  }

  /** Returns the number of attempts that succeeded. */
  public long okAll() {
    return counts.values().stream().mapToLong(count -> count.ok).sum();
  }

  /** Returns the number of attempts that were throttled. */
  public long throttledAll() {
    return counts.values().stream().mapToLong(count -> count.throttled).sum();
  }

  /** Returns the attempts of each second. */
  public int[] sentPerSecond() {
    return Arrays.copyOf(perSecond[0], seconds);
  }

  /** Returns the successful attempts of each second. */
  public int[] okPerSecond() {
    return Arrays.copyOf(perSecond[1], seconds);
  }

  /** Returns the throttled attempts of each second. */
  public int[] throttledPerSecond() {
    return Arrays.copyOf(perSecond[2], seconds);
  }
}
