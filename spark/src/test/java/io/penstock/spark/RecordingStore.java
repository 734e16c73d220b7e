/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A store that remembers what was done to it, in the order in which it was done. */
final class RecordingStore extends StoreWrapper {
  private final List<Operation> done = new CopyOnWriteArrayList<>();

  private final List<Range> ranges = new CopyOnWriteArrayList<>();

  private volatile BiConsumer<Operation, String> before = (operation, key) -> {};

  RecordingStore(ObjectStore inner) {
    super(inner);
  }

  List<Operation> done() {
    return List.copyOf(done);
  }

  /** The ranges that were asked for, in the order of the requests. */
  List<Range> ranges() {
    return List.copyOf(ranges);
  }

  void forget() {
    done.clear();
    ranges.clear();
    before = (operation, key) -> {};
  }

  /** What happens before each request is served, until {@link #forget}. */
  void before(Consumer<Operation> action) {
    before = (operation, key) -> action.accept(operation);
  }

  /** Does the same with the request's key or prefix. */
  void beforeEach(BiConsumer<Operation, String> action) {
    before = action;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    ranges.add(range);
    return super.get(key, range, ifMatch);
  }

  @Override
  public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    ranges.add(range);
    return super.read(key, range, etag, sink);
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    before.accept(operation, key);
    T result = call.run();
    done.add(operation);
    return result;
  }
}
