/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

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
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers everything at once, with answers made before, so that what is around it is measured. */
final class InstantStore implements ObjectStore {
  private static final String ETAG = "d41d8cd98f00b204e9800998ecf8427e";
  private static final ObjectMeta META = new ObjectMeta("key", 1 << 10, ETAG, Instant.EPOCH);
  private static final ObjectSlice SLICE = new ObjectSlice(META, 0, new byte[1 << 10]);
  private static final Upload UPLOAD = new Upload("key", "upload");
  private static final Part PART = new Part(1, ETAG, 1 << 10);
  private static final ListPage PAGE = new ListPage(List.of(META), List.of(), Optional.empty());
  private static final UploadsPage NO_UPLOADS = new UploadsPage(List.of(), Optional.empty());

  private final String bucket;

  InstantStore(String bucket) {
    this.bucket = bucket;
  }

  @Override
  public String bucket() {
    return bucket;
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.AMAZON;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) {
    return SLICE;
  }

  @Override
  public ObjectMeta head(String key) {
    return META;
  }

  @Override
  public String put(String key, Body body, Condition condition) {
    return ETAG;
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch) {
    return ETAG;
  }

  @Override
  public void delete(String key, Condition condition) {}

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) {
    return Map.of();
  }

  @Override
  public ListPage list(ListRequest request) {
    return PAGE;
  }

  @Override
  public VersionsPage listVersions(ListRequest request) {
    return new VersionsPage(List.of(), Optional.empty());
  }

  @Override
  public ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    return get(key, range, Optional.empty());
  }

  @Override
  public Map<String, StoreException> deleteVersions(Map<String, String> versions) {
    return Map.of();
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user) {
    return UPLOAD;
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) {
    return PART;
  }

  @Override
  public Part copyPart(
      Upload upload,
      int number,
      String sourceKey,
      ByteRange range,
      Optional<String> sourceIfMatch) {
    return PART;
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) {
    return ETAG;
  }

  @Override
  public void abortUpload(Upload upload) {}

  @Override
  public UploadsPage listUploads(String prefix, Optional<String> token) {
    return NO_UPLOADS;
  }

  @Override
  public PartsPage listParts(Upload upload, Optional<String> token) {
    return new PartsPage(List.of(PART), Optional.empty());
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
  public void close() {}
}
