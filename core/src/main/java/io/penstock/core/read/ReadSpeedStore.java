/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Landed;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Lets a {@link ReadSpeed} measure every GET. Each call must be one attempt. */
public final class ReadSpeedStore extends StoreWrapper {
  private final ReadSpeed speed;
  private final Time time;

  public ReadSpeedStore(ObjectStore inner, ReadSpeed speed, Time time) {
    super(inner);
    this.speed = speed;
    this.time = time;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return measured(() -> inner.get(key, range, ifMatch), slice -> slice.bytes().length);
  }

  @Override
  public Landed read(String key, ByteRange range, String etag, ByteSink sink) throws IOException {
    return measured(
        () -> inner.read(key, range, etag, sink), landed -> landed.range().lengthBytes());
  }

  private <T> T measured(Call<T> call, ToLongFunction<T> size) throws IOException {
    ReadSpeed.Sample sample = speed.begin(time.nowNanos());
    long bytes = 0;
    try {
      T answer = call.run();
      bytes = size.applyAsLong(answer);
      return answer;
    } catch (StoreException e) {
      if (e.kind() == Kind.THROTTLED) {
        speed.throttled(time.nowNanos());
      }
      throw e;
    } finally {
      sample.end(bytes, time.nowNanos());
    }
  }
}
