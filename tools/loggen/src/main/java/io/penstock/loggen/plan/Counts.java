/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import io.penstock.loggen.chance.Apportionment;
import java.util.EnumMap;
import java.util.Map;

/** The number of requests of each call, separately for successful and throttled requests. */
public record Counts(Map<Call, Long> succeeded, Map<Call, Long> throttled) {
  public Counts {
    succeeded = Map.copyOf(succeeded);
    throttled = Map.copyOf(throttled);
  }

  /** Returns how many requests of a call succeed. */
  public long succeeded(Call call) {
    return succeeded.getOrDefault(call, 0L);
  }

  /** Returns how many requests of a call are throttled. */
  public long throttled(Call call) {
    return throttled.getOrDefault(call, 0L);
  }

  /** Returns the number of requests of a call. */
  public long requests(Call call) {
    return succeeded(call) + throttled(call);
  }

  /** Returns the number of requests. */
  public long requests() {
    long sum = 0;
    for (Call call : Call.values()) {
      sum += requests(call);
    }
    return sum;
  }

  /** Returns the number of throttled requests. Only writes are throttled. */
  long allThrottled() {
    return throttled.values().stream().mapToLong(Long::longValue).sum();
  }

  long writes() {
    return Call.WRITES.stream().mapToLong(this::requests).sum();
  }

  /** Returns the same mix with exactly this number of requests. */
  public Counts scaledTo(long requests) {
    Call[] calls = Call.values();
    long[] weights = new long[2 * calls.length];
    for (int i = 0; i < calls.length; i++) {
      weights[2 * i] = succeeded(calls[i]);
      weights[2 * i + 1] = throttled(calls[i]);
    }
    long[] shares = Apportionment.of(requests, weights);
    Map<Call, Long> well = new EnumMap<>(Call.class);
    Map<Call, Long> badly = new EnumMap<>(Call.class);
    for (int i = 0; i < calls.length; i++) {
      well.put(calls[i], shares[2 * i]);
      if (shares[2 * i + 1] > 0) {
        badly.put(calls[i], shares[2 * i + 1]);
      }
    }
    return new Counts(well, badly);
  }
}
