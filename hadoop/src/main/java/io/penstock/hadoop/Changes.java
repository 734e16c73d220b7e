/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The changes a file system makes besides writing files: markers, deletes, and renames, which are
 * copy + delete. Nothing here is atomic but what S3 does in one request.
 */
final class Changes {
  /** S3 copies at most 5 GiB at once, and smaller pieces in parallel are faster. */
  private static final long COPY_PART_BYTES = 512L << 20;

  private static final long COPY_WHOLE_BYTES = 1L << 30;

  private final ObjectStore store;
  private final Tree tree;
  private final Lanes pool;

  Changes(ObjectStore store, Tree tree, Lanes pool) {
    this.store = store;
    this.tree = tree;
    this.pool = pool;
  }

  /** Makes the directory exist though nothing lies in it. */
  void putMarker(String key) throws IOException {
    store.put(Paths.inside(key), Body.empty(), Condition.NONE);
  }

  void deleteFile(String key) throws IOException {
    store.delete(key);
  }

  /** Deletes everything in the directory, and the directory; for the root, only what is in it. */
  void deleteDirectory(String key) throws IOException {
    List<String> keys = new ArrayList<>();
    Keys.forEachPage(
        store,
        ListRequest.flat(Paths.inside(key)),
        page -> page.objects().forEach(object -> keys.add(object.key())));
    // EMRFS's marker lies beside the directory, and may be all there is of it.
    if (!key.isEmpty()) {
      keys.add(key + KeyName.EMRFS_MARKER);
    }
    Keys.deleteAll(store, keys, pool);
  }

  /**
   * Keeps a directory from vanishing with the last thing in it, as it would not on a file system.
   */
  void keepDirectory(String key) throws IOException {
    if (!key.isEmpty() && tree.isEmpty(Paths.inside(key))) {
      putMarker(key);
    }
  }

  /**
   * Copies and deletes a file, and returns the new one's ETag. When the source is not there or is
   * another one, that is the failure, and nothing has happened.
   */
  String renameFile(ObjectMeta source, String target) throws IOException {
    String etag = copy(source, target);
    store.delete(source.key());
    return etag;
  }

  /**
   * Copies all objects, then deletes the old ones. A failure in between leaves both, and says so: a
   * second try would find the target there, and move the source into it. The copies are not
   * deleted, since another client may rename to the same place, and they may be its own.
   */
  void renameDirectory(String source, String target) throws IOException {
    String from = Paths.inside(source);
    String to = Paths.inside(target);
    List<ObjectMeta> objects = Keys.under(store, from);
    if (objects.isEmpty()) {
      putMarker(target);
    }
    UnaryOperator<String> moved = key -> to + key.substring(from.length());
    try {
      Parallel.untilFailureIn(
          object -> pool.writes(store.bucket(), moved.apply(object.key())),
          objects,
          object -> copy(object, moved.apply(object.key())));
    } catch (IOException e) {
      e.addSuppressed(
          new IOException(
              "s3://%s/%s is as it was, and copies of a part of it may be at s3://%s/%s: delete those before you rename again"
                  .formatted(store.bucket(), from, store.bucket(), to)));
      throw e;
    }
    List<String> old = new ArrayList<>(objects.stream().map(ObjectMeta::key).toList());
    old.add(source + KeyName.EMRFS_MARKER);
    try {
      Keys.deleteAll(store, old, pool);
    } catch (IOException e) {
      throw new IOException(
          "s3://%s/%s is whole, but not all of s3://%s/%s could be deleted after it was copied there: delete what is left of it before you rename again"
              .formatted(store.bucket(), to, store.bucket(), from),
          e);
    }
  }

  /** Copies the version of the object that was listed; a newer one fails the copy. */
  private String copy(ObjectMeta source, String target) throws IOException {
    if (source.sizeBytes() == 0 && target.endsWith("/")) {
      // A marker is written anew: versitygw refuses to copy one.
      return store.put(target, Body.empty(), Condition.NONE);
    }
    if (source.sizeBytes() <= COPY_WHOLE_BYTES) {
      return store.copy(source.key(), target, Optional.of(source.etag()));
    }
    Upload upload = store.createUpload(target);
    try {
      List<Part> parts = new ArrayList<>();
      for (long start = 0; start < source.sizeBytes(); start += COPY_PART_BYTES) {
        long end = Math.min(source.sizeBytes(), start + COPY_PART_BYTES);
        int number = parts.size() + 1;
        parts.add(store.copyPart(upload, number, source.key(), new ByteRange(start, end)));
      }
      if (!store.head(source.key()).etag().equals(source.etag())) {
        throw new IOException(
            "s3://%s/%s was overwritten while it was copied"
                .formatted(store.bucket(), source.key()));
      }
      return store.completeUpload(new PendingUpload(upload, parts), Condition.NONE);
    } catch (IOException e) {
      try {
        store.abortUpload(upload);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }
}
