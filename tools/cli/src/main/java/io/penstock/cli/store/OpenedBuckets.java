/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import io.penstock.core.commit.files.Stores;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The buckets that a command works on, each opened once. Safe for use by many threads. */
public final class OpenedBuckets implements Stores, AutoCloseable {
  private final StoreOptions options;
  private final Map<String, StoreStack> opened = new HashMap<>();

  public OpenedBuckets(StoreOptions options) {
    this.options = options;
  }

  /** Opens a bucket without sending a request, unless it is open. */
  public synchronized StoreStack stack(String bucket) throws IOException {
    StoreStack stack = opened.get(bucket);
    if (stack == null) {
      stack = options.open(bucket);
      opened.put(bucket, stack);
    }
    return stack;
  }

  @Override
  public ObjectStore of(String bucket) throws IOException {
    return stack(bucket).commitStore();
  }

  @Override
  public synchronized void close() {
    opened.values().forEach(StoreStack::close);
  }
}
