/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads and writes objects beside a table that fit into memory as a whole. */
public final class SmallObjects {
  private static final long BYTES_MAX = 1L << 30;

  private final Stores stores;
  private final OutputTable table;
  private final Lanes pool;

  public SmallObjects(Stores stores, OutputTable table, Lanes pool) {
    this.stores = stores;
    this.table = table;
    this.pool = pool;
  }

  public OutputTable table() {
    return table;
  }

  public void put(String key, byte[] content, Condition condition) throws IOException {
    store().put(key, Body.ofBytes(content), condition);
  }

  /** Returns the object's bytes; empty when there is no object. */
  public Optional<byte[]> get(String key) throws IOException {
    try {
      return Optional.of(store().get(key, new SuffixRange(BYTES_MAX), Optional.empty()).bytes());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      if (e.kind() == Kind.RANGE_NOT_SATISFIABLE) {
        return Optional.of(new byte[0]); // An empty object has no range.
      }
      throw e;
    }
  }

  public boolean isThere(String key) throws IOException {
    try {
      store().head(key);
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }

  public ListPage list(ListRequest request) throws IOException {
    return store().list(request);
  }

  public List<ObjectMeta> under(String prefix) throws IOException {
    return Keys.under(store(), prefix);
  }

  public void delete(List<String> keys) throws IOException {
    if (!keys.isEmpty()) {
      Keys.deleteAll(store(), keys, pool);
    }
  }

  /** Runs the action for each item until one fails, several at the same time. */
  public <T> void forEach(Iterable<T> items, Parallel.Room room, Parallel.Action<T> action)
      throws IOException {
    Parallel.untilFailureIn(
        item -> pool.writes(table.bucket(), table.prefix()), items, room, action);
  }

  private ObjectStore store() throws IOException {
    return stores.of(table.bucket());
  }
}
