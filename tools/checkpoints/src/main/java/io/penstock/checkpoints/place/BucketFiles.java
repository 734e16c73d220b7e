/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A checkpoint under a prefix of a bucket. */
public final class BucketFiles implements CheckpointPlace {
  private final ObjectStore store;
  private final String prefix;

  /**
   * Creates the files of a checkpoint at a key.
   *
   * @param store is closed by the caller
   * @param path the key of the checkpoint's root, with or without {@code /} at its end; empty for
   *     the whole bucket
   */
  public BucketFiles(ObjectStore store, String path) {
    this.store = store;
    this.prefix = path.isEmpty() || path.endsWith("/") ? path : path + "/";
  }

  @Override
  public String where() {
    return "s3://" + store.bucket() + "/" + prefix;
  }

  @Override
  public List<StoredFile> list(String below, LongConsumer progress) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    Keys.forEachPage(
        store,
        ListRequest.flat(prefix + below),
        page -> {
          for (ObjectMeta meta : page.objects()) {
            // Such a key is a directory marker and not one of Spark's files.
            if (!meta.key().endsWith("/") && !meta.key().endsWith("_$folder$")) {
              files.add(file(meta));
            }
          }
          progress.accept(files.size());
        });
    return files;
  }

  private StoredFile file(ObjectMeta meta) {
    return new StoredFile(
        meta.key().substring(prefix.length()), meta.sizeBytes(), meta.lastModified(), meta.etag());
  }

  @Override
  public byte[] read(StoredFile file, long start, int maxBytes) throws IOException {
    if (start >= file.sizeBytes() || maxBytes == 0) {
      return new byte[0];
    }
    try {
      ByteRange range = new ByteRange(start, Math.min(start + maxBytes, file.sizeBytes()));
      return store.get(prefix + file.path(), range, Optional.of(file.version())).bytes();
    } catch (StoreException e) {
      throw changed(file, e);
    }
  }

  @Override
  public void copy(StoredFile file, String to) throws IOException {
    try {
      store.copy(prefix + file.path(), prefix + to, Optional.of(file.version()));
    } catch (StoreException e) {
      throw changed(file, e);
    }
  }

  @Override
  public void delete(StoredFile file) throws IOException {
    // Some stores ignore the If-Match condition of a DELETE and report success, so the ETag is
    // checked first.
    try {
      if (!store.head(prefix + file.path()).etag().equals(file.version())) {
        throw new FileChangedException(where() + file.path());
      }
    } catch (StoreException e) {
      throw changed(file, e);
    }
    store.delete(prefix + file.path());
  }

  private IOException changed(StoredFile file, StoreException e) {
    if (e.kind() != Kind.PRECONDITION_FAILED && e.kind() != Kind.NO_SUCH_KEY) {
      return e;
    }
    FileChangedException changed = new FileChangedException(where() + file.path());
    changed.initCause(e);
    return changed;
  }

  @Override
  public void close() {}
}
