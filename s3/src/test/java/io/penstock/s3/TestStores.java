/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.SystemTime;

/** Opens stores that know nothing yet of any bucket. */
public final class TestStores {
  private TestStores() {}

  /** Returns stores that share what they find out, as those of one process do. */
  static S3Stores shared() {
    return new S3Stores(SystemTime.INSTANCE, Chance.ofTheMachine());
  }

  /** Opens a store that shares nothing with others. */
  public static ObjectStore open(String bucket, Settings settings) {
    return shared().open(bucket, settings);
  }
}
