/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.Stores;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Looks each bucket up once: a job of many files would otherwise ask Hadoop's cache for each. */
final class OneStoreABucket implements Stores {
  private final Stores stores;
  private final Map<String, ObjectStore> found = new HashMap<>();

  OneStoreABucket(Stores stores) {
    this.stores = stores;
  }

  @Override
  public synchronized ObjectStore of(String bucket) throws IOException {
    ObjectStore store = found.get(bucket);
    if (store == null) {
      store = stores.of(bucket);
      found.put(bucket, store);
    }
    return store;
  }
}
