/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreProvider;
import java.util.List;

/** Substitutes a store that answers at once. */
public final class InstantProvider implements StoreProvider {
  @Override
  public ObjectStore open(String bucket, Settings settings) {
    return bucket.equals(BulkStore.BUCKET) ? BulkStore.process() : new InstantStore(bucket);
  }

  @Override
  public List<ConfigKey<?>> keys() {
    return List.of();
  }
}
