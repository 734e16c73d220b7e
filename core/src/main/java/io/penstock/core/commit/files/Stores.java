/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.store.ObjectStore;
import java.io.IOException;

/** Finds the store of a bucket; a job may write to several. */
@FunctionalInterface
public interface Stores {
  /**
   * Returns the store of a bucket. The caller does not close it. Called from many threads.
   *
   * @throws IOException when the store cannot be opened
   */
  ObjectStore of(String bucket) throws IOException;
}
