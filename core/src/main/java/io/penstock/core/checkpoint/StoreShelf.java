/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The claims of a checkpoint in a store. */
public final class StoreShelf implements Claims.Shelf {
  private final ObjectStore store;
  private final String prefix;

  /**
   * @param location the checkpoint's prefix, without a slash at its end; empty for a whole bucket
   */
  public StoreShelf(ObjectStore store, String location) {
    this.store = store;
    this.prefix = (location.isEmpty() ? "" : location + "/") + Claims.DIRECTORY + "/";
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    Keys.forEachPage(
        store,
        ListRequest.level(prefix),
        page ->
            page.objects().forEach(object -> names.add(object.key().substring(prefix.length()))));
    return names;
  }

  @Override
  public boolean create(String name, byte[] content) throws IOException {
    try {
      store.put(prefix + name, Body.ofBytes(content), Condition.IF_ABSENT);
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void delete(String name) throws IOException {
    store.delete(prefix + name);
  }
}
