/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A store that remembers what was done to it, in the order in which it was done. */
final class RecordingStore extends StoreWrapper {
  private final List<Operation> done = new CopyOnWriteArrayList<>();

  private volatile Consumer<Operation> before = operation -> {};

  RecordingStore(ObjectStore inner) {
    super(inner);
  }

  List<Operation> done() {
    return List.copyOf(done);
  }

  void forget() {
    done.clear();
    before = operation -> {};
  }

  /** What happens before each request is served, until {@link #forget}. */
  void before(Consumer<Operation> action) {
    before = action;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    before.accept(operation);
    T result = call.run();
    done.add(operation);
    return result;
  }
}
