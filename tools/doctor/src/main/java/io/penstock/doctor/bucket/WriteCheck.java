/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Writes a temporary object, reads it back, deletes it, and verifies that it is deleted. */
public final class WriteCheck extends WritingCheck {
  private static final int SIZE_BYTES = 1024;

  private final ObjectStore store;
  private final Scratch scratch;
  private final Time time;

  public WriteCheck(ObjectStore store, Scratch scratch, Time time) {
    super("PUT, GET, DELETE", scratch);
    this.store = store;
    this.scratch = scratch;
    this.time = time;
  }

  @Override
  CheckOutcome tried() throws IOException {
    byte[] bytes = new byte[SIZE_BYTES];
    Arrays.fill(bytes, (byte) 'p');
    String key = scratch.newKey();
    long before = time.nowNanos();
    scratch.put(key, Body.ofBytes(bytes), Condition.NONE);
    long putMillis = (time.nowNanos() - before) / 1_000_000;
    byte[] read = store.get(key, new ByteRange(0, SIZE_BYTES), Optional.empty()).bytes();
    if (!Arrays.equals(read, bytes)) {
      return CheckOutcome.fail(
          name(),
          "the data read differs from the data written",
          "Do not use this store: something between this machine and the store, such as a proxy,"
              + " changes the data.");
    }
    store.delete(key);
    scratch.gone(key);
    if (isThere(key)) {
      return CheckOutcome.fail(
          name(),
          "the object is still there after its deletion",
          "Penstock needs a strongly consistent store. Check the caches and replicas of this"
              + " store.");
    }
    return CheckOutcome.pass(name(), "1 KiB, PUT in %,d ms".formatted(putMillis))
        .with("putMillis", putMillis);
  }

  private boolean isThere(String key) throws IOException {
    try {
      store.head(key);
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }
}
