/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes {@link Footers} forget each object that this process changes. It must see every attempt: an
 * attempt that failed may have taken effect.
 */
public final class FooterForgettingStore extends StoreWrapper {
  private final Footers footers;

  public FooterForgettingStore(ObjectStore inner, Footers footers) {
    super(inner);
    this.footers = footers;
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    try {
      return inner.put(key, body, condition);
    } finally {
      forget(key);
    }
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    try {
      return inner.copy(sourceKey, key, sourceIfMatch);
    } finally {
      forget(key);
    }
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    try {
      inner.delete(key, condition);
    } finally {
      forget(key);
    }
  }

  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    try {
      return inner.deleteAll(keys);
    } finally {
      keys.forEach(this::forget);
    }
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    try {
      return inner.completeUpload(pending, condition);
    } finally {
      forget(pending.key());
    }
  }

  private void forget(String key) {
    footers.remove(new Footers.Name(endpoint(), bucket(), key));
  }
}
