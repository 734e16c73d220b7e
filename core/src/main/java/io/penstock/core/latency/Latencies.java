/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

/**
 * The durations of requests of one kind, as far as they are known. All durations are 0 if there are
 * no samples; they are exact to about 1 %.
 *
 * @param samples number of requests from which the durations were learned
 * @param hedgeNanos the quantile at which hedges start
 */
public record Latencies(long samples, long p90Nanos, long p95Nanos, long hedgeNanos) {
  static final Latencies NONE = new Latencies(0, 0, 0, 0);
}
