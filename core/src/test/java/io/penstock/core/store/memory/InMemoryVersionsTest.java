/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.VersionsContract;
import io.penstock.core.time.VirtualTime;
import java.time.Instant;

class InMemoryVersionsTest extends VersionsContract {
  @Override
  protected ObjectStore openStore() {
    InMemoryStore store =
        new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
    store.keepVersions();
    return store;
  }
}
