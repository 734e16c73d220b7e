/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreWrapper;

/** A store that deletes whatever the condition of the DELETE says, as MinIO and versitygw do. */
final class UnconditionalDeletes extends StoreWrapper {
  UnconditionalDeletes(ObjectStore inner) {
    super(inner);
  }
}
