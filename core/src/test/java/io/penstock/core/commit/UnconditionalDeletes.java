/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A store that deletes whatever the condition of the DELETE says, as MinIO does. */
final class UnconditionalDeletes extends StoreWrapper {
  UnconditionalDeletes(ObjectStore inner) {
    super(inner);
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.unknown(inner.traits().partNumbering());
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    super.delete(key, Condition.NONE);
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    return super.deleteAll(Condition.noneFor(List.copyOf(keys.keySet())));
  }
}
