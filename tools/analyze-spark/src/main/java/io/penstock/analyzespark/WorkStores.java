/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The stores of the buckets that a task reads. Each is opened on first use. Used by one thread. */
final class WorkStores implements AutoCloseable {
  private final Settings settings;
  private final Map<String, StoreStack> open = new HashMap<>();

  WorkStores(Map<String, String> settings) {
    this.settings = Settings.of(settings);
  }

  ObjectStore store(String bucket) throws IOException {
    StoreStack stack = open.get(bucket);
    if (stack == null) {
      stack =
          StoreStack.open(Engine.process(), bucket, settings, WorkStores.class.getClassLoader());
      open.put(bucket, stack);
    }
    return stack.store();
  }

  @Override
  public void close() {
    open.values().forEach(StoreStack::close);
    open.clear();
  }
}
