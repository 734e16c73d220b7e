/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The store as a process sees it that dies at one of its requests, and asks nothing after that. */
final class CrashingStore extends StoreWrapper {
  private final int deathAt;
  private final boolean acted;
  private final List<String> log = new ArrayList<>();

  /**
   * @param deathAt number of the request at which the process dies, from 1; 0 for one that lives
   * @param acted whether the store does what that request asks
   */
  CrashingStore(ObjectStore inner, int deathAt, boolean acted) {
    super(inner);
    this.deathAt = deathAt;
    this.acted = acted;
  }

  boolean isDead() {
    return deathAt > 0 && log.size() >= deathAt;
  }

  List<String> log() {
    return log;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    if (!isDead()) {
      log.add(operation + " " + key);
      if (!isDead() || acted) {
        T answer = call.run();
        if (!isDead()) {
          return answer;
        }
      }
    }
    throw StoreException.of(Kind.CONNECTION_LOST, operation, key, "the process is dead.");
  }
}
