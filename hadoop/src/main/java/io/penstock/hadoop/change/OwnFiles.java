/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.hadoop.tree.Tree;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that this file system wrote most recently, with size and ETag as they were then. A
 * caller that writes a file and renames it needs no request in between to look up the file. Another
 * process may have changed the file since. So use these facts only in a request that fails in that
 * case.
 */
public final class OwnFiles {
  private static final int MOST = 1_000;

  private final Map<String, ObjectMeta> files =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ObjectMeta> eldest) {
          return size() > MOST;
        }
      };

  public synchronized void wrote(String key, long sizeBytes, String etag, UserMetadata user) {
    // The store's time of the write is unknown here. No rename uses it.
    ObjectMeta file = new ObjectMeta(key, sizeBytes, etag, Instant.EPOCH, Optional.empty(), user);
    // Removes the old entry first, so that a file that is written again becomes the youngest entry.
    files.remove(key);
    files.put(key, file);
  }

  /** Records a rename. What only a listing has told of the file lacks its metadata. */
  synchronized void moved(ObjectMeta file, String target, String etag) {
    Optional<ObjectMeta> own = Optional.ofNullable(files.remove(file.key()));
    files.remove(target);
    if (own.isPresent() || Tree.isAskedFor(file.key())) {
      wrote(target, file.sizeBytes(), etag, own.orElse(file).user());
    }
  }

  synchronized Optional<ObjectMeta> find(String key) {
    return Optional.ofNullable(files.get(key));
  }

  public synchronized void forget(String key) {
    files.remove(key);
  }
}
