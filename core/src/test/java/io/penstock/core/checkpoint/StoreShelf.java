/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The claims of a checkpoint in a store. */
record StoreShelf(ObjectStore store) implements Claims.Shelf {
  private static final String PREFIX = "query/checkpoint/_penstock_writers/";

  @Override
  public List<String> names() throws IOException {
    return Keys.under(store, PREFIX).stream()
        .map(object -> object.key().substring(PREFIX.length()))
        .toList();
  }

  @Override
  public boolean create(String name, byte[] content) throws IOException {
    try {
      store.put(PREFIX + name, Body.ofBytes(content), Condition.IF_ABSENT);
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  @Override
  public Optional<byte[]> read(String name) throws IOException {
    return Optional.of(store.get(PREFIX + name, new ByteRange(0, 4096), Optional.empty()).bytes());
  }

  @Override
  public void delete(String name) throws IOException {
    store.delete(PREFIX + name);
  }
}
