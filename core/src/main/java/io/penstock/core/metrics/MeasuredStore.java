/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.List;

/** Counts every attempt that reaches the wrapped store. */
public final class MeasuredStore extends StoreWrapper {
  private final List<StoreMetrics> metrics;
  private final Time time;

  public MeasuredStore(ObjectStore inner, Time time, StoreMetrics... metrics) {
    super(inner);
    this.metrics = List.of(metrics);
    this.time = time;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    long start = time.nowNanos();
    long received = 0;
    try {
      T answer = call.run();
      received = answer instanceof ObjectSlice slice ? slice.bytes().length : 0;
      return answer;
    } catch (IOException e) {
      boolean throttled = e instanceof StoreException failure && failure.kind() == Kind.THROTTLED;
      metrics.forEach(metric -> metric.failed(operation, throttled));
      throw e;
    } finally {
      long nanos = time.nowNanos() - start;
      for (StoreMetrics metric : metrics) {
        metric.attempted(operation, sentBytes, received, nanos);
      }
    }
  }
}
