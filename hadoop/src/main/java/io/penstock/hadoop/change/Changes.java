/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.commit.DirectoryGuard;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The changes of a file system other than writing files: directory markers, deletes and renames. A
 * rename is copy + delete. Only a single S3 request is atomic; a change of several requests is not.
 */
public final class Changes {
  /** The size of a part of a copy. Larger ones would take long, one after the other. */
  private static final long COPY_PART_BYTES = 512L << 20;

  private static final long COPY_WHOLE_BYTES = 1L << 30;

  /** S3 copies at most so much in one request. */
  private static final long COPY_WHOLE_MOST = 5L << 30;

  /**
   * A file of up to this size is read and written instead of copied by parts. Moving one mebibyte
   * twice takes about as long as the two extra requests of a copy by parts.
   */
  private static final long READ_BYTES_MAX = 1 << 20;

  private final ObjectStore store;
  private final Tree tree;
  private final Lanes pool;
  private final Supplier<String> writeIds;
  private final CommitsBelow commits;

  /**
   * @param commits lists all objects whose keys start with a prefix
   */
  public Changes(
      ObjectStore store, Tree tree, Lanes pool, Supplier<String> writeIds, CommitsBelow commits) {
    this.store = store;
    this.tree = tree;
    this.pool = pool;
    this.commits = commits;
    this.writeIds = writeIds;
  }

  /** Puts an empty marker object, so that the directory exists even while it contains nothing. */
  public void putMarker(String key) throws IOException {
    store.put(Paths.inside(key), Body.empty(), Condition.NONE);
  }

  /** Waits until no job commits to the directory, and ends the commits of jobs that died. */
  public void awaitCommits(String key) throws IOException {
    commits.await(Paths.inside(key));
  }

  public void deleteFile(String key) throws IOException {
    store.delete(key);
  }

  /**
   * Deletes the directory and everything in it. For the root, deletes only the contents. Waits for
   * jobs that commit to it: otherwise a part of their files would be deleted.
   */
  public void deleteDirectory(String key) throws IOException {
    List<ObjectMeta> objects = commits.list(Paths.inside(key), DirectoryGuard::toDelete);
    // EMRFS's marker is beside the directory, and may be the only key of the directory.
    String[] marker = key.isEmpty() ? new String[0] : new String[] {key + KeyName.EMRFS_MARKER};
    DirectoryGuard.deleteAll(store, objects, pool, marker);
  }

  /**
   * Puts a marker for the directory if it is empty, so that it still exists after its last entry is
   * gone, as on a file system.
   */
  public void keepDirectory(String key) throws IOException {
    if (!key.isEmpty() && tree.isEmpty(Paths.inside(key))) {
      putMarker(key);
    }
  }

  /**
   * Copies a file, deletes the source, and returns the ETag of the copy. Fails without changing
   * anything if the source is missing or has another version.
   */
  String renameFile(ObjectMeta source, String target) throws IOException {
    String etag = copy(source, target);
    store.delete(source.key());
    return etag;
  }

  /**
   * Renames a file to a name that is not in use, on a store that honours conditional writes. If
   * many callers do so at once, one succeeds. Not all stores honour such a condition on S3's copy.
   * So a small file is read and written, and a larger file is an upload of copied parts.
   *
   * @return the ETag of the new file; empty if another file appeared at the target first; then
   *     nothing has changed
   * @throws IOException if the source is missing or has another version; then nothing has changed
   */
  Optional<String> renameFileToFree(ObjectMeta source, String target) throws IOException {
    Optional<String> etag = copyToFree(source, target);
    if (etag.isPresent()) {
      store.delete(source.key());
    }
    return etag;
  }

  private Optional<String> copyToFree(ObjectMeta source, String target) throws IOException {
    if (source.sizeBytes() > READ_BYTES_MAX) {
      UserMetadata user =
          Tree.isAskedFor(source.key())
              ? source.user().sendable()
              : requireSame(source).user().sendable();
      return ifFree(condition -> copyByParts(source, user, target, condition));
    }
    Body content = content(source);
    return ifFree(condition -> store.put(target, content, condition));
  }

  /** Returns the content of the listed version of the object. */
  private Body content(ObjectMeta source) throws IOException {
    if (source.sizeBytes() > 0) {
      ByteRange whole = new ByteRange(0, source.sizeBytes());
      ObjectSlice found = store.get(source.key(), whole, Optional.of(source.etag()));
      return Body.ofBytes(found.bytes()).with(found.meta().user().sendable());
    }
    return Body.empty().with(requireSame(source).user().sendable());
  }

  /** Writes under a condition and returns the ETag. */
  private interface ConditionalWrite {
    String under(Condition condition) throws IOException;
  }

  private static Optional<String> ifFree(ConditionalWrite write) throws IOException {
    try {
      return Optional.of(write.under(Condition.IF_ABSENT));
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Tells that the source has another version than the one to rename; nothing has changed. */
  static final class OtherVersionException extends IOException {
    private static final long serialVersionUID = 1L;

    private OtherVersionException(String message) {
      super(message);
    }
  }

  private ObjectMeta requireSame(ObjectMeta source) throws IOException {
    ObjectMeta found = store.head(source.key());
    if (!found.isVersion(source.etag())) {
      throw new OtherVersionException(
          "s3://%s/%s was overwritten while it was copied".formatted(store.bucket(), source.key()));
    }
    return found;
  }

  /**
   * Copies all objects, then deletes the old ones. Waits for jobs that commit to one of the
   * directories. What they have left of their commits is deleted and not copied. A failure in
   * between leaves source and target, and the error says so: a second rename would find the target
   * directory and move the source into it. The copies are not deleted, because another client may
   * rename to the same place and own some of these objects.
   */
  void renameDirectory(String source, String target) throws IOException {
    String from = Paths.inside(source);
    String to = Paths.inside(target);
    commits.await(to);
    List<ObjectMeta> all = commits.list(from, object -> object);
    List<ObjectMeta> objects =
        all.stream().filter(object -> !DirectoryGuard.isIntent(object.key())).toList();
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
              "s3://%s/%s is unchanged, but copies of some of its files may be at s3://%s/%s. Delete those copies before you rename again"
                  .formatted(store.bucket(), from, store.bucket(), to)));
      throw e;
    }
    try {
      DirectoryGuard.deleteAll(store, all, pool, source + KeyName.EMRFS_MARKER);
    } catch (IOException e) {
      throw new IOException(
          "s3://%s/%s is complete, but some objects of s3://%s/%s could not be deleted after they were copied. Delete them before you rename again"
              .formatted(store.bucket(), to, store.bucket(), from),
          e);
    }
  }

  /** Copies the listed version of the object. Fails if the object has a newer version. */
  private String copy(ObjectMeta source, String target) throws IOException {
    if (source.sizeBytes() == 0 && target.endsWith("/")) {
      // A marker is written again, because versitygw refuses to copy one.
      return store.put(target, Body.empty(), Condition.NONE);
    }
    if (source.sizeBytes() <= COPY_WHOLE_BYTES) {
      return store.copy(source.key(), target, Optional.of(source.etag()));
    }
    try {
      return copyByParts(source, requireSame(source).user().sendable(), target, Condition.NONE);
    } catch (StoreException e) {
      // Google's store copies no parts.
      if (e.kind() != Kind.UNSUPPORTED || source.sizeBytes() > COPY_WHOLE_MOST) {
        throw e;
      }
      return store.copy(source.key(), target, Optional.of(source.etag()));
    }
  }

  private String copyByParts(
      ObjectMeta source, UserMetadata user, String target, Condition condition) throws IOException {
    String writeId = writeIds.get();
    Upload upload = store.createUpload(target, Optional.of(writeId), user);
    try {
      List<Part> parts = new ArrayList<>();
      long partBytes = copyPartBytes(source.sizeBytes());
      for (long start = 0; start < source.sizeBytes(); start += partBytes) {
        long end = Math.min(source.sizeBytes(), start + partBytes);
        int number = parts.size() + 1;
        parts.add(copiedPart(upload, number, source, new ByteRange(start, end)));
      }
      requireSame(source);
      return store.completeUpload(
          new PendingUpload(upload, parts, Optional.of(writeId)), condition);
    } catch (IOException e) {
      try {
        store.abortUpload(upload);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Returns the size of the parts of a copy: larger ones if there were too many of the usual. */
  static long copyPartBytes(long sizeBytes) {
    return Math.max(COPY_PART_BYTES, (sizeBytes + Part.MAX_NUMBER - 1) / Part.MAX_NUMBER);
  }

  private Part copiedPart(Upload upload, int number, ObjectMeta source, ByteRange range)
      throws IOException {
    try {
      return store.copyPart(upload, number, source.key(), range);
    } catch (StoreException e) {
      if (e.kind() == Kind.INVALID_REQUEST) {
        requireSame(source); // A shorter version does not have the range.
      }
      throw e;
    }
  }
}
