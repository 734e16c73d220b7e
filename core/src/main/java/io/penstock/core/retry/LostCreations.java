/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.ObjectStore;

/** Is told where an upload may have been created whose id nobody knows. */
@FunctionalInterface
public interface LostCreations {
  /** Forgets them. */
  LostCreations NONE = (store, key) -> {};

  /**
   * The answer to an attempt to create an upload was lost.
   *
   * @param store that lists and aborts the uploads of the key, with retries
   */
  void note(ObjectStore store, String key);
}
