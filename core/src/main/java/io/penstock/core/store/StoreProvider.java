/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.config.KeySource;
import io.penstock.core.config.Settings;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Opens stores. {@link java.util.ServiceLoader} finds the implementations, so the Hadoop adapter
 * compiles without the AWS SDK that the S3 implementation needs.
 */
public interface StoreProvider extends KeySource {
  /**
   * Creates a set of stores that share clients, connections and knowledge about buckets.
   *
   * @param chance the source of randomness for these stores; the caller must not use it any more
   */
  Stores stores(Time time, SplittableRandom chance);

  /** A set of stores that share clients, connections and knowledge. Safe for many threads. */
  interface Stores {
    /**
     * Opens a store for the bucket without making a request. The caller closes the store. Closing
     * it does not disturb the other stores of the set.
     *
     * @throws io.penstock.core.config.ConfigException when a setting makes no sense
     */
    ObjectStore open(String bucket, Settings settings) throws IOException;
  }

  /**
   * Returns how the bucket would be reached, without making a request. Returns empty for a store
   * that has no endpoint.
   *
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  default Optional<Reach> reach(String bucket, Settings settings) {
    return Optional.empty();
  }
}
