/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.store.Landed;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/** Counts every attempt that reaches the wrapped store, and reports it as an event. */
public final class MeasuredStore extends StoreWrapper {
  private final Time time;
  private final StoreMetrics metrics;
  private final RequestEvents events;

  public MeasuredStore(ObjectStore inner, Time time, StoreMetrics metrics, RequestEvents events) {
    super(inner);
    this.time = time;
    this.metrics = metrics;
    this.events = events;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    long start = time.nowNanos();
    long received = 0;
    IOException failure = null;
    try {
      T answer = call.run();
      received = receivedBytes(answer);
      return answer;
    } catch (IOException e) {
      failure = e;
      metrics.failed(operation, kindOf(e) == Kind.THROTTLED);
      throw e;
    } finally {
      long nanos = time.nowNanos() - start;
      metrics.attempted(operation, sentBytes, received, nanos);
      tell(operation, key, nanos, sentBytes, received, failure);
    }
  }

  private static long receivedBytes(Object answer) {
    if (answer instanceof ObjectSlice slice) {
      return slice.bytes().length;
    }
    return answer instanceof Landed landed ? landed.range().lengthBytes() : 0;
  }

  private void tell(
      Operation operation, String key, long nanos, long sent, long received, IOException failure) {
    events.tell(
        () -> {
          Optional<Attempt> attempt = Attempt.current();
          return new RequestEvent(
              time.now().minusNanos(nanos),
              operation,
              bucket(),
              key,
              nanos,
              sent,
              received,
              outcome(failure),
              attempt.flatMap(Attempt::cutBecause).orElse(""),
              attempt.map(Attempt::address).orElse(""),
              attempt.map(Attempt::isBeside).orElse(false),
              failure instanceof StoreException known ? known.requestId().orElse("") : "");
        });
  }

  private static Kind kindOf(IOException failure) {
    return failure instanceof StoreException known ? known.kind() : null;
  }

  private static String outcome(IOException failure) {
    if (failure == null) {
      return "OK";
    }
    if (failure instanceof InterruptedIOException) {
      return "INTERRUPTED";
    }
    Kind kind = kindOf(failure);
    return kind == null ? "FAILED" : kind.name();
  }
}
