/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.store.StoreProvider;
import io.penstock.core.time.Time;
import java.util.List;
import java.util.SplittableRandom;

/** Substitutes a store that answers at once. */
public final class InstantProvider implements StoreProvider {
  @Override
  public Stores stores(Time time, SplittableRandom chance) {
    return (bucket, settings) ->
        bucket.equals(BulkStore.BUCKET) ? BulkStore.process() : new InstantStore(bucket);
  }

  @Override
  public List<ConfigKey<?>> keys() {
    return List.of();
  }
}
