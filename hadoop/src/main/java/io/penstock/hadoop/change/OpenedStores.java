/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The buckets that one piece of work has opened for itself, so that it goes on when a file system
 * is closed. Safe for use by many threads. After a close, a bucket that is asked for is opened
 * again.
 */
public final class OpenedStores implements AutoCloseable {
  private final Engine engine;
  private final Settings settings;
  private final Map<String, StoreStack> opened = new HashMap<>();

  /**
   * @param settings of all buckets
   */
  public OpenedStores(Engine engine, Settings settings) {
    this.engine = engine;
    this.settings = settings;
  }

  /** Returns the stores of a bucket. */
  public synchronized StoreStack of(String bucket) throws IOException {
    StoreStack stack = opened.get(bucket);
    if (stack == null) {
      stack = StoreStack.open(engine, bucket, settings, OpenedStores.class.getClassLoader());
      opened.put(bucket, stack);
    }
    return stack;
  }

  @Override
  public synchronized void close() {
    opened.values().forEach(StoreStack::close);
    opened.clear();
  }
}
