/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.store.ObjectStore;

/** Records keys for which an upload may have been created whose id is unknown. */
@FunctionalInterface
public interface LostCreations {
  /** Ignores these keys. */
  LostCreations NONE = (store, key) -> {};

  /**
   * Records that the answer to an attempt to create an upload was lost. Called on the thread of the
   * request, so it must be quick and must not fail.
   *
   * @param store lists and aborts the uploads of the key, with retries
   */
  void note(ObjectStore store, String key);
}
