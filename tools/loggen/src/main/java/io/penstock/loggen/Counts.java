/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.util.EnumMap;
import java.util.Map;

/** The number of requests of each call, separately for successful and throttled requests. */
record Counts(Map<Call, Long> succeeded, Map<Call, Long> throttled) {
  Counts {
    succeeded = Map.copyOf(succeeded);
    throttled = Map.copyOf(throttled);
  }

  long succeeded(Call call) {
    return succeeded.getOrDefault(call, 0L);
  }

  long throttled(Call call) {
    return throttled.getOrDefault(call, 0L);
  }

  long requests(Call call) {
    return succeeded(call) + throttled(call);
  }

  long requests() {
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
  Counts scaledTo(long requests) {
    Call[] calls = Call.values();
    long[] weights = new long[2 * calls.length];
    for (int i = 0; i < calls.length; i++) {
      weights[2 * i] = succeeded(calls[i]);
      weights[2 * i + 1] = throttled(calls[i]);
    }
    long[] shares = Shares.of(requests, weights);
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
