/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.ObjectMeta;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that this file system wrote last, as they were then: whoever writes a file to rename it
 * need not look at it in between. Another process may have changed any of them since, so what is
 * told here is used only in a request that fails in that case.
 */
final class OwnFiles {
  private static final int MOST = 1_000;

  private final Map<String, ObjectMeta> files =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ObjectMeta> eldest) {
          return size() > MOST;
        }
      };

  synchronized void wrote(String key, long sizeBytes, String etag) {
    // The time is the store's, which did not tell it; no rename asks for it.
    ObjectMeta file = new ObjectMeta(key, sizeBytes, etag, Instant.EPOCH);
    // Removed first, so that a file written again is the youngest.
    files.remove(key);
    files.put(key, file);
  }

  synchronized Optional<ObjectMeta> find(String key) {
    return Optional.ofNullable(files.get(key));
  }

  synchronized void forget(String key) {
    files.remove(key);
  }
}
