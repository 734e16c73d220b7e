/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One bucket of an S3 store. The port mirrors S3, not a file system: keys, prefixes and uploads, no
 * directories.
 *
 * <ol>
 *   <li>Every call is one S3 request and blocks until its answer is whole; no connection outlives a
 *       call.
 *   <li>A write that returned is durable, and visible to every later call of anybody.
 *   <li>Listings are in UTF-8 byte order of the keys.
 *   <li>A failure is a {@link StoreException}, whose kind tells what happened; an interrupt is an
 *       {@link java.io.InterruptedIOException}.
 *   <li>Implementations are safe for use by many threads.
 * </ol>
 */
public interface ObjectStore extends AutoCloseable {
  /** The bucket's name, for messages. */
  String bucket();

  /**
   * Names what answers the requests, for messages and for what buckets of one endpoint share. Empty
   * for a store that shares nothing with others.
   */
  default String endpoint() {
    return "";
  }

  /**
   * Reads one range. A bounded range may reach past the end of the object, but not start there:
   * that, and any range of an empty object, is {@code RANGE_NOT_SATISFIABLE}.
   *
   * @param ifMatch fails with {@code PRECONDITION_FAILED} when the object's ETag is another one
   */
  ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException;

  ObjectMeta head(String key) throws IOException;

  /** Writes a whole object of at most 5 GiB and returns its ETag. */
  String put(String key, Body body, Condition condition) throws IOException;

  /**
   * Copies an object of at most 5 GiB inside the bucket, by the store itself, and returns its ETag.
   *
   * @param sourceIfMatch fails with {@code PRECONDITION_FAILED} when the source's ETag is another
   */
  String copy(String sourceKey, String key, Optional<String> sourceIfMatch) throws IOException;

  /** Deletes the key; whether there was an object does not matter and is not told. */
  void delete(String key) throws IOException;

  /**
   * Deletes 1 to 1,000 keys in one request.
   *
   * @return the keys that were not deleted, each with its reason; empty when all went well
   */
  Map<String, StoreException> deleteAll(List<String> keys) throws IOException;

  ListPage list(ListRequest request) throws IOException;

  /** Starts an upload of an object without a write id. */
  default Upload createUpload(String key) throws IOException {
    return createUpload(key, Optional.empty());
  }

  /**
   * Starts an upload.
   *
   * @param writeId of the object that the upload will become, as that of a {@link Condition}
   */
  Upload createUpload(String key, Optional<String> writeId) throws IOException;

  /** Stores a part; the same number again replaces it. Every part but the last needs 5 MiB. */
  Part uploadPart(Upload upload, int number, Body body) throws IOException;

  /**
   * Stores a part under one of its numbers, which the answer tells. A wrapper that makes several
   * attempts chooses the numbers; otherwise it is the first.
   */
  default Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    return uploadPart(upload, numbers.first(), body);
  }

  /** Returns how to number the parts of this store's uploads. */
  default PartNumbering partNumbering() {
    return PartNumbering.CONSECUTIVE;
  }

  /**
   * Returns true if an upload is unharmed by its requests that are cut short: of two attempts of
   * one part number at the same time one stays whatever becomes of the other, and a Complete is
   * carried out or not. Amazon S3 is like that; MinIO drops the part or the upload.
   */
  default boolean uploadsSurviveCuts() {
    return true;
  }

  /** Stores a range of another object of the bucket as a part, by the store itself. */
  Part copyPart(Upload upload, int number, String sourceKey, ByteRange range) throws IOException;

  /**
   * Makes the object of these parts visible, atomically, and returns its ETag. When the condition
   * fails the upload stays.
   */
  String completeUpload(PendingUpload pending, Condition condition) throws IOException;

  /** Drops the upload and its parts; an upload that is not there is no failure. */
  void abortUpload(Upload upload) throws IOException;

  /**
   * Returns a page of the uploads in progress whose key starts with the prefix. Some stores (MinIO)
   * match whole keys only.
   */
  UploadsPage listUploads(String prefix, Optional<String> token) throws IOException;

  /** Returns true if the store is known to list uploads by any beginning of their key. */
  default boolean listsUploadsByPrefix() {
    return true;
  }

  /**
   * Returns a page of the parts that an upload has.
   *
   * @param token of the previous page
   */
  PartsPage listParts(Upload upload, Optional<String> token) throws IOException;

  /**
   * Returns true if the store honours a {@link Condition}; it is tried where the answer is not
   * known. A store that does not know conditional writes ignores them and overwrites, so ask before
   * you rely on one.
   */
  boolean supportsConditionalWrites() throws IOException;

  @Override
  void close();
}
