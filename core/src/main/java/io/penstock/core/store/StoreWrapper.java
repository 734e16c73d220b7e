/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * A store that wraps another store. Every request goes through {@link #around}. A subclass
 * overrides that method to change all requests, or overrides single requests.
 */
public abstract class StoreWrapper implements ObjectStore {
  /** One request to the wrapped store; it can be repeated. */
  @FunctionalInterface
  protected interface Call<T> {
    T run() throws IOException;
  }

  protected final ObjectStore inner;

  protected StoreWrapper(ObjectStore inner) {
    this.inner = inner;
  }

  /**
   * Makes one request. This implementation only calls the wrapped store.
   *
   * @param key the object or prefix that the request is about
   * @param sentBytes the bytes of content that the request sends
   */
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    return call.run();
  }

  @Override
  public String bucket() {
    return inner.bucket();
  }

  @Override
  public String endpoint() {
    return inner.endpoint();
  }

  @Override
  public int requestsMax() {
    return inner.requestsMax();
  }

  @Override
  public StoreTraits traits() {
    return inner.traits();
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return around(Operation.GET, key, 0, () -> inner.get(key, range, ifMatch));
  }

  @Override
  public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    return around(Operation.GET, key, 0, () -> inner.read(key, range, etag, sink));
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return around(Operation.HEAD, key, 0, () -> inner.head(key));
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    return around(Operation.PUT, key, body.sizeBytes(), () -> inner.put(key, body, condition));
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    return around(Operation.COPY, key, 0, () -> inner.copy(sourceKey, key, sourceIfMatch));
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    around(
        Operation.DELETE,
        key,
        0,
        () -> {
          inner.delete(key, condition);
          return null;
        });
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    String first = keys.keySet().stream().findFirst().orElse("");
    return around(Operation.DELETE_ALL, first, 0, () -> inner.deleteAll(keys));
  }

  @Override
  public ListPage list(ListRequest request) throws IOException {
    return around(Operation.LIST, request.prefix(), 0, () -> inner.list(request));
  }

  @Override
  public VersionsPage listVersions(ListRequest request) throws IOException {
    return around(Operation.LIST, request.prefix(), 0, () -> inner.listVersions(request));
  }

  @Override
  public ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    return around(Operation.GET, key, 0, () -> inner.getVersion(key, versionId, range));
  }

  @Override
  public Map<String, StoreException> deleteVersions(Map<String, String> versions)
      throws IOException {
    String first = versions.keySet().stream().findFirst().orElse("");
    return around(Operation.DELETE_ALL, first, 0, () -> inner.deleteVersions(versions));
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    return around(Operation.CREATE_UPLOAD, key, 0, () -> inner.createUpload(key, writeId, user));
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    return around(
        Operation.UPLOAD_PART,
        upload.key(),
        body.sizeBytes(),
        () -> inner.uploadPart(upload, numbers, body));
  }

  @Override
  public Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException {
    return around(
        Operation.COPY_PART,
        upload.key(),
        0,
        () -> inner.copyPart(upload, number, sourceKey, range, sourceIfMatch));
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    return around(
        Operation.COMPLETE_UPLOAD,
        pending.key(),
        0,
        () -> inner.completeUpload(pending, condition));
  }

  @Override
  public void abortUpload(Upload upload) throws IOException {
    around(
        Operation.ABORT_UPLOAD,
        upload.key(),
        0,
        () -> {
          inner.abortUpload(upload);
          return null;
        });
  }

  @Override
  public UploadsPage listUploads(String prefix, Optional<String> token) throws IOException {
    return around(Operation.LIST_UPLOADS, prefix, 0, () -> inner.listUploads(prefix, token));
  }

  @Override
  public PartsPage listParts(Upload upload, Optional<String> token) throws IOException {
    return around(Operation.LIST_PARTS, upload.key(), 0, () -> inner.listParts(upload, token));
  }

  @Override
  public boolean supportsConditionalWrites(String key) throws IOException {
    return inner.supportsConditionalWrites(key);
  }

  @Override
  public boolean supportsConditionalCompletes(String key) throws IOException {
    return inner.supportsConditionalCompletes(key);
  }

  @Override
  public void close() {
    inner.close();
  }
}
