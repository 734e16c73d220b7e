/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Optional;

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
    ReadSpeed.Sample sample = speed.begin(time.nowNanos());
    long bytes = 0;
    try {
      ObjectSlice slice = inner.get(key, range, ifMatch);
      bytes = slice.bytes().length;
      return slice;
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
