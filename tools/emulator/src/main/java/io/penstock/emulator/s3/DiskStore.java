/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.core.time.Time;
import io.penstock.emulator.s3.FileBlobs.FileBody;
import io.penstock.emulator.s3.FileBlobs.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A store that follows the rules of {@link InMemoryStore} and keeps its bytes in files. A journal
 * restores the objects at the next start. Uploads in progress do not survive a restart.
 */
public final class DiskStore implements ObjectStore {
  private static final int LOCKS = 256;
  private static final int READ_TRIES = 10;

  private final InMemoryStore inner;
  private final FileBlobs files;
  private final Journal journal;
  private final PartFiles parts = new PartFiles();
  private final String uploadPrefix;

  /**
   * One lock per group of keys, so that the changes of a key reach the journal in the order in
   * which they happened.
   */
  private final Object[] locks = IntStream.range(0, LOCKS).mapToObj(i -> new Object()).toArray();

  private DiskStore(InMemoryStore inner, FileBlobs files, Journal journal) {
    this.inner = inner;
    this.files = files;
    this.journal = journal;
    this.uploadPrefix = "g" + journal.generation() + "-";
  }

  /**
   * Opens a directory, or creates it if it does not exist, and checks the objects in it. Locks the
   * directory until the store is closed. An object whose bytes are missing or changed is left out,
   * with a warning.
   *
   * @throws IOException when another store uses the directory, or its journal cannot be read
   */
  public static DiskStore open(Path directory, String bucket, Time time) throws IOException {
    Path blobs = Files.createDirectories(directory.resolve("blobs"));
    Journal journal = Journal.open(directory.resolve("journal"), blobs);
    try {
      DiskRestart restart = new DiskRestart(journal, blobs, bucket, time);
      return new DiskStore(restart.store(), restart.files(), journal);
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  @Override
  public String bucket() {
    return inner.bucket();
  }

  @Override
  public StoreTraits traits() {
    return inner.traits();
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return inner.get(key, range, ifMatch);
      } catch (NoSuchFileException e) {
        // The object was replaced after the index was read and before its file was read: try again.
        if (tries == READ_TRIES) {
          throw e;
        }
      }
    }
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return inner.head(key);
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    synchronized (lock(key)) {
      try (Step step = files.step()) {
        String etag = inner.put(key, body, condition);
        record(key, etag, step.written(), step);
        return etag;
      }
    }
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    synchronized (lock(key)) {
      try (Step step = files.step()) {
        String etag = inner.copy(sourceKey, key, sourceIfMatch);
        record(key, etag, step.written(), step);
        return etag;
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    synchronized (lock(key)) {
      try (Step step = files.step()) {
        inner.delete(key, condition);
        journal.deleted(key);
        step.done();
      }
    }
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    if (keys.isEmpty() || keys.size() > ListRequest.MAX_KEYS) {
      return inner.deleteAll(keys); // throws, because it refuses
    }
    Map<String, StoreException> failures = new LinkedHashMap<>();
    for (Map.Entry<String, Condition> one : keys.entrySet()) {
      try {
        delete(one.getKey(), one.getValue());
      } catch (StoreException e) {
        failures.put(one.getKey(), e);
      }
    }
    return failures;
  }

  @Override
  public ListPage list(ListRequest request) {
    return inner.list(request);
  }

  @Override
  public VersionsPage listVersions(ListRequest request) {
    return inner.listVersions(request);
  }

  @Override
  public ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    return inner.getVersion(key, versionId, range);
  }

  /** This store keeps no versions, so each version is an object. */
  @Override
  public Map<String, StoreException> deleteVersions(Map<String, String> versions)
      throws IOException {
    Map<String, Condition> objects = new LinkedHashMap<>();
    versions.forEach(
        (key, id) -> {
          if (id.equals(ObjectVersion.NULL)) {
            objects.put(key, Condition.NONE);
          }
        });
    return objects.isEmpty() ? Map.of() : deleteAll(objects);
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    Upload upload = outside(inner.createUpload(key, writeId, user));
    parts.open(upload.uploadId());
    return upload;
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    int number = numbers.first();
    return storePart(upload, number, () -> inner.uploadPart(inside(upload), number, body));
  }

  @Override
  public Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException {
    return storePart(
        upload,
        number,
        () -> inner.copyPart(inside(upload), number, sourceKey, range, sourceIfMatch));
  }

  /** Stores a part in the inner store. */
  private interface PartCall {
    Part store() throws IOException;
  }

  private Part storePart(Upload upload, int number, PartCall call) throws IOException {
    return parts.store(
        upload.uploadId(),
        number,
        slot -> {
          try (Step step = files.step()) {
            Part part = call.store();
            slot.file(step.written().get(0));
            step.done();
            return part;
          }
        });
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    Upload upload = pending.upload();
    synchronized (lock(pending.key())) {
      return parts.complete(
          upload.uploadId(),
          byNumber -> {
            try (Step step = files.step()) {
              PendingUpload inside = new PendingUpload(inside(upload), pending.parts());
              String etag = inner.completeUpload(inside, condition);
              List<FileBody> joined =
                  pending.parts().stream().map(part -> byNumber.get(part.number())).toList();
              record(pending.key(), etag, joined, step);
              return etag;
            }
          });
    }
  }

  @Override
  public void abortUpload(Upload upload) {
    try (Step step = files.step()) {
      inner.abortUpload(inside(upload));
      parts.close(upload.uploadId());
      step.done();
    }
  }

  @Override
  public UploadsPage listUploads(String prefix, Optional<String> token) {
    UploadsPage page = inner.listUploads(prefix, token.map(this::insideId));
    return new UploadsPage(
        page.uploads().stream()
            .map(listed -> new UploadsPage.Listed(outside(listed.upload()), listed.initiated()))
            .toList(),
        page.nextToken().map(id -> uploadPrefix + id));
  }

  @Override
  public PartsPage listParts(Upload upload, Optional<String> token) throws IOException {
    return inner.listParts(inside(upload), token);
  }

  @Override
  public boolean supportsConditionalWrites(String key) {
    return true;
  }

  @Override
  public boolean supportsConditionalCompletes(String key) {
    return true;
  }

  @Override
  public void close() {
    try {
      journal.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void record(String key, String etag, List<FileBody> written, Step step)
      throws IOException {
    ObjectMeta meta = inner.head(key);
    journal.stored(
        key, new Journal.Entry(etag, meta.lastModified(), meta.writeId(), meta.user(), written));
    step.done();
  }

  private Object lock(String key) {
    return locks[Math.floorMod(key.hashCode(), LOCKS)];
  }

  /**
   * Returns the upload with the id that clients see. The inner store numbers its uploads from one
   * at every start. The prefix keeps the ids of different starts apart.
   */
  private Upload outside(Upload upload) {
    return new Upload(upload.key(), uploadPrefix + upload.uploadId());
  }

  private Upload inside(Upload upload) {
    return new Upload(upload.key(), insideId(upload.uploadId()));
  }

  private String insideId(String uploadId) {
    return uploadId.startsWith(uploadPrefix)
        ? uploadId.substring(uploadPrefix.length())
        : "not of this start: " + uploadId;
  }
}
