/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.Upload;

/** The start of an upload. A lost answer may leave an upload whose id is unknown. */
record Creation(LostCreations lost, ObjectStore store, String key) implements Resolution<Upload> {
  @Override
  public void endedWithLostAnswer() {
    lost.note(store, key);
  }
}
