/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.config.KeySource;
import io.penstock.core.config.Settings;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Opens stores. Found by {@link java.util.ServiceLoader}, so that the Hadoop adapter compiles
 * without the SDK that the real one is made of.
 */
public interface StoreProvider extends KeySource {
  /**
   * Begins a set of stores that share clients, connections and what is known of buckets.
   *
   * @param chance not used by anybody else from now on
   */
  Stores stores(Time time, SplittableRandom chance);

  /** Stores that share what they can. Safe for many threads. */
  interface Stores {
    /**
     * A store over the bucket; no request is made.
     *
     * @throws io.penstock.core.config.ConfigException when a setting makes no sense
     */
    ObjectStore open(String bucket, Settings settings) throws IOException;
  }

  /**
   * Tells how the bucket would be reached; no request is made. Empty for a store that has no
   * endpoint.
   *
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  default Optional<Reach> reach(String bucket, Settings settings) {
    return Optional.empty();
  }
}
