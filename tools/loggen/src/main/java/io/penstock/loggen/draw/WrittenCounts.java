/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import io.penstock.loggen.plan.Call;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what is written while it is written: first for each chunk, then for all chunks together.
 */
public final class WrittenCounts {
  /** A limit that is longer than any request. */
  private static final int LATENCY_MILLIS_MAX = 120_000;

  /** The counts of one call. */
  static final class OfCall {
    long requests;
    long throttled;
    final int[] millis = new int[LATENCY_MILLIS_MAX + 1];
  }

  final Map<Call, OfCall> calls = new EnumMap<>(Call.class);
  public final Map<LineMutation, Long> oddities = new EnumMap<>(LineMutation.class);
  public final Map<Integer, Long> attempts = new TreeMap<>();
  public final long[] prefixRequests;
  public final long[] prefixThrottled;

  /**
   * The facts by task: the start of its first request, the end of its last one, and its written
   * data.
   */
  public final long[] taskFrom;

  public final long[] taskTo;
  public final int[] taskFiles;
  public final long[] taskBytes;

  /** The request counts by second from the job's start. */
  public int[] perSecond = new int[256];

  public int[] throttledPerSecond = new int[256];
  public long overlaps;
  public long lines;
  public long lateLines;
  public long accessBytes;
  public long accessFiles;
  public long events;
  public long trailFiles;
  public long trailBytes;
  public long lastEndMillis;
  public boolean hasNoFinalNewline;

  /** Creates counts of zero for this number of prefixes and tasks. */
  public WrittenCounts(int prefixes, int tasks) {
    prefixRequests = new long[prefixes];
    prefixThrottled = new long[prefixes];
    taskFrom = new long[tasks];
    Arrays.fill(taskFrom, Long.MAX_VALUE);
    taskTo = new long[tasks];
    taskFiles = new int[tasks];
    taskBytes = new long[tasks];
  }

  /** Records that a chain of attempts ended after this many tries. */
  void chain(int tries) {
    attempts.merge(tries, 1L, Long::sum);
  }

  /** Records that an attempt began before the previous attempt had ended. */
  void overlap() {
    overlaps++;
  }

  /** Counts a line with this oddity. */
  public void oddity(LineMutation oddity) {
    oddities.merge(oddity, 1L, Long::sum);
  }

  /** Counts a request; a negative prefix or task means none. */
  public void request(CallBatch batch, int index, int prefix, int task) {
    boolean isThrottled = batch.isThrottled(index);
    OfCall call = calls.computeIfAbsent(batch.call(index), any -> new OfCall());
    call.requests++;
    call.millis[batch.latencyMillis(index)]++;
    int second = (int) (batch.millis(index) / 1_000);
    if (second >= perSecond.length) {
      perSecond = Arrays.copyOf(perSecond, 2 * second);
      throttledPerSecond = Arrays.copyOf(throttledPerSecond, 2 * second);
    }
    perSecond[second]++;
    if (isThrottled) {
      call.throttled++;
      throttledPerSecond[second]++;
    }
    if (prefix >= 0) {
      prefixRequests[prefix]++;
      prefixThrottled[prefix] += isThrottled ? 1 : 0;
    }
    long end = batch.millis(index) + batch.latencyMillis(index);
    lastEndMillis = Math.max(lastEndMillis, end);
    if (task >= 0) {
      taskFrom[task] = Math.min(taskFrom[task], batch.millis(index));
      taskTo[task] = Math.max(taskTo[task], end);
    }
  }

  /** Adds the counts of a chunk. */
  public synchronized void add(WrittenCounts chunk) {
    chunk.calls.forEach(
        (call, from) -> {
          OfCall to = calls.computeIfAbsent(call, any -> new OfCall());
          to.requests += from.requests;
          to.throttled += from.throttled;
          for (int i = 0; i < from.millis.length; i++) {
            to.millis[i] += from.millis[i];
          }
        });
    chunk.oddities.forEach((oddity, n) -> oddities.merge(oddity, n, Long::sum));
    chunk.attempts.forEach((tries, n) -> attempts.merge(tries, n, Long::sum));
    add(prefixRequests, chunk.prefixRequests);
    add(prefixThrottled, chunk.prefixThrottled);
    add(taskBytes, chunk.taskBytes);
    perSecond = sum(perSecond, chunk.perSecond);
    throttledPerSecond = sum(throttledPerSecond, chunk.throttledPerSecond);
    for (int task = 0; task < taskFrom.length; task++) {
      taskFrom[task] = Math.min(taskFrom[task], chunk.taskFrom[task]);
      taskTo[task] = Math.max(taskTo[task], chunk.taskTo[task]);
      taskFiles[task] += chunk.taskFiles[task];
    }
    overlaps += chunk.overlaps;
    lines += chunk.lines;
    lateLines += chunk.lateLines;
    accessBytes += chunk.accessBytes;
    accessFiles += chunk.accessFiles;
    events += chunk.events;
    trailFiles += chunk.trailFiles;
    trailBytes += chunk.trailBytes;
    lastEndMillis = Math.max(lastEndMillis, chunk.lastEndMillis);
    hasNoFinalNewline |= chunk.hasNoFinalNewline;
  }

  private static void add(long[] to, long[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  private static int[] sum(int[] one, int[] other) {
    int[] longer = (one.length > other.length ? one : other).clone();
    int[] shorter = one.length > other.length ? other : one;
    for (int i = 0; i < shorter.length; i++) {
      longer[i] += shorter[i];
    }
    return longer;
  }

  /** Returns the number of requests. */
  public long requests() {
    return calls.values().stream().mapToLong(call -> call.requests).sum();
  }

  /** Returns the number of throttled requests. */
  public long throttled() {
    return calls.values().stream().mapToLong(call -> call.throttled).sum();
  }

  /** Returns the number of requests of a call. */
  public long requests(Call call) {
    OfCall found = calls.get(call);
    return found == null ? 0 : found.requests;
  }

  /** Returns the number of throttled requests of a call. */
  public long throttled(Call call) {
    OfCall found = calls.get(call);
    return found == null ? 0 : found.throttled;
  }

  /** Returns the number of requests that write. */
  public long writes() {
    return Call.WRITES.stream().mapToLong(this::requests).sum();
  }

  /** Returns how many requests of a call took longer than this. */
  public long over(Call call, int millis) {
    OfCall found = calls.get(call);
    long count = 0;
    for (int i = millis + 1; found != null && i < found.millis.length; i++) {
      count += found.millis[i];
    }
    return count;
  }

  /** Returns the latency that this share of a call's requests does not exceed, by nearest rank. */
  public int quantile(Call call, double share) {
    OfCall found = calls.get(call);
    if (found == null) {
      return 0;
    }
    long rank = Math.max(1, (long) Math.ceil(share * found.requests));
    int millis = 0;
    for (long seen = found.millis[0]; seen < rank; seen += found.millis[millis]) {
      millis++;
    }
    return millis;
  }
}
