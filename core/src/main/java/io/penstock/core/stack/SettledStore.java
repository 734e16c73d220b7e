/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.life.CutWrites;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a write wait while an earlier one of the same key that was cut may still take effect. A
 * DELETE that hung at the store, for example, and was made again, would delete what its caller has
 * written since. Commits do not need this: their files have names of their own.
 */
final class SettledStore extends StoreWrapper {
  private final CutWrites cutWrites;

  SettledStore(ObjectStore inner, CutWrites cutWrites) {
    super(inner);
    this.cutWrites = cutWrites;
  }

  private void await(String key) throws InterruptedIOException {
    cutWrites.awaitSettled(new ObjectKey(bucket(), key));
  }

  /** A write that requires a certain object fails if an earlier PUT comes in between. */
  private void await(String key, Condition condition) throws InterruptedIOException {
    if (condition.equals(Condition.NONE)) {
      await(key);
    } else {
      cutWrites.awaitDeletions(new ObjectKey(bucket(), key));
    }
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    await(key, condition);
    return super.put(key, body, condition);
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    await(key);
    return super.copy(sourceKey, key, sourceIfMatch);
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    await(key);
    super.delete(key, condition);
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    for (String key : keys.keySet()) {
      await(key);
    }
    return super.deleteAll(keys);
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    await(pending.key(), condition);
    return super.completeUpload(pending, condition);
  }
}
