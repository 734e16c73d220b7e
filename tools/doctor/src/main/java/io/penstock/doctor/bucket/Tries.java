/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import java.util.Arrays;
import java.util.List;

/** The durations of repetitions of the same request, in microseconds. */
record Tries(List<Long> micros) {
  Tries {
    if (micros.isEmpty()) {
      throw new IllegalArgumentException("percentiles of nothing");
    }
    micros = List.copyOf(micros);
  }

  int count() {
    return micros.size();
  }

  /** Returns the smallest duration that is not exceeded by the given percentage of requests. */
  long percentile(int percent) {
    long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }

  String shown() {
    long[] both = {percentile(50), percentile(95)};
    String[] texts =
        Arrays.stream(both)
            .mapToObj(value -> (value < 10_000 ? "%.1f" : "%,.0f").formatted(value / 1e3))
            .toArray(String[]::new);
    return "p50 %s ms, p95 %s ms, in %d tries".formatted(texts[0], texts[1], count());
  }
}
