/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.keys.KeyOrder;
import io.penstock.core.store.memory.Blobs.Blob;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An S3 store in one process that follows S3's rules strictly. It refuses what S3 refuses: keys
 * over 1,024 bytes, and small or missing parts. Where stores differ, it behaves like the store that
 * is harder for the caller: a second completion of an upload fails with {@code NO_SUCH_UPLOAD}, as
 * on MinIO. Uploads stay until they are completed or aborted.
 */
public final class InMemoryStore implements ObjectStore {
  private static final int MAX_DELETED_KEYS = 1000;

  private final String bucket;
  private final Time time;
  private final Blobs blobs;
  private final long minPartBytes;
  private final TreeMap<String, StoredObject> objects = new TreeMap<>(KeyOrder.INSTANCE);
  private final TreeMap<String, OpenUpload> uploads = new TreeMap<>();
  private final KeptVersions<StoredObject> versions = new KeptVersions<>();
  private boolean keepsVersions;
  private long nextUploadId = 1;

  private record StoredObject(ObjectMeta meta, Blob blob) {}

  private record StoredPart(Part part, Blob blob) {}

  private static final class OpenUpload {
    final UploadsPage.Listed listed;
    final Optional<String> writeId;
    final UserMetadata user;
    final NavigableMap<Integer, StoredPart> parts = new TreeMap<>();

    OpenUpload(UploadsPage.Listed listed, Optional<String> writeId, UserMetadata user) {
      this.listed = listed;
      this.writeId = writeId;
      this.user = user;
    }
  }

  public InMemoryStore(String bucket, Time time) {
    this(bucket, time, Blobs.onHeap(), Part.MIN_SIZE_BYTES);
  }

  /**
   * @param minPartBytes the least size of a part: 5 MiB as in S3, or less for tests that need many
   *     small parts
   */
  public InMemoryStore(String bucket, Time time, Blobs blobs, long minPartBytes) {
    this.bucket = bucket;
    this.time = time;
    this.blobs = blobs;
    this.minPartBytes = minPartBytes;
  }

  /** Keeps all versions of the objects from now on. */
  public synchronized void keepVersions() {
    if (!keepsVersions) {
      keepsVersions = true;
      objects.forEach((key, one) -> versions.addNull(key, one, one.meta().lastModified()));
    }
  }

  public synchronized boolean keepsVersions() {
    return keepsVersions;
  }

  @Override
  public String bucket() {
    return bucket;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return slice(key, find(Operation.GET, key), range, ifMatch);
  }

  private ObjectSlice slice(String key, StoredObject found, Range range, Optional<String> ifMatch)
      throws IOException {
    if (ifMatch.isPresent() && !ifMatch.get().equals(found.meta().etag())) {
      throw failure(Kind.PRECONDITION_FAILED, Operation.GET, key, "its ETag is another one.");
    }
    Range.ByteSpan span = range.within(found.meta().sizeBytes());
    if (span.isEmpty()) {
      throw failure(
          Kind.RANGE_NOT_SATISFIABLE,
          Operation.GET,
          key,
          "%s of %d bytes.".formatted(range, found.meta().sizeBytes()));
    }
    byte[] bytes = new byte[Math.toIntExact(span.lengthBytes())];
    found.blob().read(span.start(), bytes, 0, bytes.length);
    return new ObjectSlice(found.meta(), span.start(), bytes);
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return find(Operation.HEAD, key).meta();
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    checkKey(Operation.PUT, key);
    if (body.sizeBytes() > Part.MAX_SIZE_BYTES) {
      throw failure(
          Kind.INVALID_REQUEST, Operation.PUT, key, "larger than 5 GiB; upload in parts.");
    }
    String etag = Etags.ofContent(body);
    Blob blob = blobs.write(body);
    try {
      store(Operation.PUT, key, etag, blob, condition, condition.writeId(), body.user());
    } catch (IOException e) {
      blob.discard();
      throw e;
    }
    return etag;
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    checkKey(Operation.COPY, key);
    StoredObject source = find(Operation.COPY, sourceKey);
    checkSource(Operation.COPY, sourceKey, source, sourceIfMatch);
    Body body = BlobBody.of(source.blob(), 0, source.meta().sizeBytes());
    String etag = Etags.ofContent(body);
    store(
        Operation.COPY,
        key,
        etag,
        blobs.write(body),
        Condition.NONE,
        source.meta().writeId(),
        source.meta().user());
    return etag;
  }

  private void checkSource(
      Operation operation, String key, StoredObject source, Optional<String> ifMatch)
      throws StoreException {
    if (ifMatch.isPresent() && !ifMatch.get().equals(source.meta().etag())) {
      throw failure(Kind.PRECONDITION_FAILED, operation, key, "its ETag is another.");
    }
  }

  @Override
  public synchronized void delete(String key, Condition condition) throws IOException {
    Optional<String> required = condition.etagToDelete();
    StoredObject old = objects.get(key);
    if (old == null) {
      if (keepsVersions) {
        versions.add(key, Optional.empty(), time.now());
      }
      return;
    }
    if (required.isPresent() && !required.get().equals(old.meta().etag())) {
      throw failure(Kind.PRECONDITION_FAILED, Operation.DELETE, key, "its ETag is another one.");
    }
    objects.remove(key);
    if (keepsVersions) {
      versions.add(key, Optional.empty(), time.now());
    } else {
      old.blob().discard();
    }
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    checkKeys(keys.keySet());
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

  private void checkCount(Set<String> keys) throws IOException {
    if (keys.isEmpty() || keys.size() > MAX_DELETED_KEYS) {
      throw failure(
          Kind.INVALID_REQUEST, Operation.DELETE_ALL, "", keys.size() + " keys; 1 to 1000 go.");
    }
  }

  private void checkKeys(Set<String> keys) throws IOException {
    checkCount(keys);
    if (!keys.stream().allMatch(KeyLimits::fitsXml)) {
      throw failure(
          Kind.INVALID_REQUEST, Operation.DELETE_ALL, "", "XML cannot carry one of the keys.");
    }
  }

  @Override
  public synchronized Map<String, StoreException> deleteVersions(Map<String, String> gone)
      throws IOException {
    checkCount(gone.keySet());
    for (Map.Entry<String, String> one : gone.entrySet()) {
      if (keepsVersions) {
        deleteVersion(one.getKey(), one.getValue());
      } else if (one.getValue().equals(ObjectVersion.NULL)) {
        delete(one.getKey(), Condition.NONE);
      }
    }
    return Map.of();
  }

  private void deleteVersion(String key, String id) {
    versions.remove(key, id).ifPresent(removed -> removed.blob().discard());
    Optional<StoredObject> latest = versions.latest(key);
    if (latest.isPresent()) {
      objects.put(key, latest.get());
    } else {
      objects.remove(key);
    }
  }

  @Override
  public synchronized VersionsPage listVersions(ListRequest request) {
    KeptVersions<StoredObject> shown = keepsVersions ? versions : new KeptVersions<>();
    if (!keepsVersions) {
      objects.forEach((key, one) -> shown.addNull(key, one, one.meta().lastModified()));
    }
    return shown.page(request, InMemoryStore::listed);
  }

  @Override
  public synchronized ObjectSlice getVersion(String key, String versionId, Range range)
      throws IOException {
    StoredObject current = versionId.equals(ObjectVersion.NULL) ? objects.get(key) : null;
    Optional<StoredObject> found =
        keepsVersions ? versions.get(key, versionId) : Optional.ofNullable(current);
    if (found.isEmpty()) {
      throw failure(Kind.NO_SUCH_KEY, Operation.GET, key, "the key has no version with that id.");
    }
    return slice(key, found.get(), range, Optional.empty());
  }

  @Override
  public synchronized ListPage list(ListRequest request) {
    return new Lister(objects.navigableKeySet(), request, time.now())
        .page(key -> listed(objects.get(key)));
  }

  @Override
  public synchronized Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    checkKey(Operation.CREATE_UPLOAD, key);
    Upload upload = new Upload(key, "upload-%08d".formatted(nextUploadId++));
    uploads.put(
        upload.uploadId(),
        new OpenUpload(new UploadsPage.Listed(upload, time.now()), writeId, user));
    return upload;
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    return storePart(Operation.UPLOAD_PART, upload, numbers.first(), body);
  }

  @Override
  public Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException {
    StoredObject source = find(Operation.COPY_PART, sourceKey);
    checkSource(Operation.COPY_PART, sourceKey, source, sourceIfMatch);
    if (range.end() > source.meta().sizeBytes()) {
      throw failure(
          Kind.INVALID_REQUEST, Operation.COPY_PART, sourceKey, range + " is not inside it.");
    }
    Body body = BlobBody.of(source.blob(), range.start(), range.lengthBytes());
    return storePart(Operation.COPY_PART, upload, number, body);
  }

  @Override
  public synchronized String completeUpload(PendingUpload pending, Condition condition)
      throws IOException {
    OpenUpload open = openUpload(Operation.COMPLETE_UPLOAD, pending.upload());
    List<Blob> joined = checkedParts(open, pending);
    String etag = Etags.ofParts(pending.parts());
    Blob blob = Blobs.concat(joined);
    // S3 takes an object's metadata from the request that creates the upload, not from the one that
    // completes it.
    store(Operation.COMPLETE_UPLOAD, pending.key(), etag, blob, condition, open.writeId, open.user);
    uploads.remove(pending.upload().uploadId());
    pending.parts().forEach(part -> open.parts.remove(part.number()));
    open.parts.values().forEach(unused -> unused.blob().discard());
    return etag;
  }

  @Override
  public synchronized void abortUpload(Upload upload) {
    OpenUpload removed = uploads.remove(upload.uploadId());
    if (removed != null) {
      removed.parts.values().forEach(part -> part.blob().discard());
    }
  }

  @Override
  public synchronized UploadsPage listUploads(String prefix, Optional<String> token) {
    List<UploadsPage.Listed> found = new ArrayList<>();
    for (OpenUpload open : uploads.tailMap(token.orElse(""), false).values()) {
      if (open.listed.upload().key().startsWith(prefix)) {
        if (found.size() == ListRequest.MAX_KEYS) {
          return new UploadsPage(
              found, Optional.of(found.get(found.size() - 1).upload().uploadId()));
        }
        found.add(open.listed);
      }
    }
    return new UploadsPage(found, Optional.empty());
  }

  @Override
  public synchronized PartsPage listParts(Upload upload, Optional<String> token)
      throws IOException {
    OpenUpload open = openUpload(Operation.LIST_PARTS, upload);
    List<Part> page = new ArrayList<>();
    for (StoredPart stored :
        open.parts.tailMap(token.map(Integer::parseInt).orElse(0), false).values()) {
      if (page.size() == ListRequest.MAX_KEYS) {
        int last = page.get(page.size() - 1).number();
        return new PartsPage(page, Optional.of(Integer.toString(last)));
      }
      page.add(stored.part());
    }
    return new PartsPage(page, Optional.empty());
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
  public StoreTraits traits() {
    return StoreTraits.AMAZON;
  }

  @Override
  public void close() {
    // The store holds no resources. Its content stays readable for a test that has closed it.
  }

  private synchronized StoredObject find(Operation operation, String key) throws IOException {
    StoredObject found = objects.get(key);
    if (found == null) {
      throw failure(Kind.NO_SUCH_KEY, operation, key, "there is no such object.");
    }
    return found;
  }

  private synchronized void store(
      Operation operation,
      String key,
      String etag,
      Blob blob,
      Condition condition,
      Optional<String> writeId,
      UserMetadata user)
      throws IOException {
    StoredObject old = objects.get(key);
    if (!holds(condition, old)) {
      throw failure(
          Kind.PRECONDITION_FAILED, operation, key, "the object does not meet the condition.");
    }
    ObjectMeta meta = new ObjectMeta(key, blob.sizeBytes(), etag, time.now(), writeId, user);
    StoredObject stored = new StoredObject(meta, blob);
    objects.put(key, stored);
    if (keepsVersions) {
      versions.add(key, Optional.of(stored), meta.lastModified());
    } else if (old != null) {
      old.blob().discard();
    }
  }

  private static ObjectMeta listed(StoredObject object) {
    ObjectMeta meta = object.meta();
    return new ObjectMeta(meta.key(), meta.sizeBytes(), meta.etag(), meta.lastModified());
  }

  private static boolean holds(Condition condition, StoredObject old) {
    if (condition instanceof Condition.IfMatch match) {
      return old != null && old.meta().etag().equals(match.etag());
    }
    return !(condition instanceof Condition.IfAbsent) || old == null;
  }

  private Part storePart(Operation operation, Upload upload, int number, Body body)
      throws IOException {
    if (body.sizeBytes() > Part.MAX_SIZE_BYTES) {
      throw failure(Kind.INVALID_REQUEST, operation, upload.key(), "a part is over 5 GiB.");
    }
    Part part = new Part(number, Etags.ofContent(body), body.sizeBytes());
    Blob blob = blobs.write(body);
    try {
      book(operation, upload, new StoredPart(part, blob));
    } catch (IOException e) {
      blob.discard();
      throw e;
    }
    return part;
  }

  private synchronized void book(Operation operation, Upload upload, StoredPart stored)
      throws IOException {
    StoredPart old = openUpload(operation, upload).parts.put(stored.part().number(), stored);
    if (old != null) {
      old.blob().discard();
    }
  }

  private List<Blob> checkedParts(OpenUpload open, PendingUpload pending) throws IOException {
    List<Blob> joined = new ArrayList<>();
    int previous = 0;
    int last = pending.parts().size() - 1;
    for (int i = 0; i <= last; i++) {
      Part wanted = pending.parts().get(i);
      StoredPart stored = open.parts.get(wanted.number());
      if (wanted.number() <= previous) {
        throw badParts(pending, "part numbers must rise, got " + wanted.number() + ".");
      }
      if (stored == null || !stored.part().etag().equals(wanted.etag())) {
        throw badParts(pending, "part " + wanted.number() + " does not exist with that ETag.");
      }
      if (i < last && stored.part().sizeBytes() < minPartBytes) {
        throw badParts(pending, "part " + wanted.number() + " is smaller than 5 MiB.");
      }
      previous = wanted.number();
      joined.add(stored.blob());
    }
    return joined;
  }

  private OpenUpload openUpload(Operation operation, Upload upload) throws IOException {
    OpenUpload open = uploads.get(upload.uploadId());
    if (open == null || !open.listed.upload().equals(upload)) {
      throw failure(
          Kind.NO_SUCH_UPLOAD,
          operation,
          upload.key(),
          "upload " + upload.uploadId() + " is not in progress.");
    }
    return open;
  }

  private void checkKey(Operation operation, String key) throws IOException {
    if (!KeyLimits.canExist(key)) {
      throw failure(
          Kind.INVALID_REQUEST,
          operation,
          key,
          "a key has 1 to 1024 bytes, but this one has " + KeyLimits.lengthBytes(key) + ".");
    }
  }

  private StoreException badParts(PendingUpload pending, String problem) {
    return failure(Kind.INVALID_REQUEST, Operation.COMPLETE_UPLOAD, pending.key(), problem);
  }

  private StoreException failure(Kind kind, Operation operation, String key, String problem) {
    return StoreException.of(kind, operation, "s3://" + bucket + "/" + key, problem);
  }
}
