/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One bucket of an S3 store. The interface mirrors S3 and not a file system: it has keys, prefixes
 * and uploads, and no directories.
 *
 * <ol>
 *   <li>Every call is one S3 request and blocks until the whole answer has arrived. No connection
 *       stays in use after a call.
 *   <li>When a write has returned, it is durable and visible to every later call of any client.
 *   <li>Listings are in UTF-8 byte order of the keys.
 *   <li>A failed request throws a {@link StoreException}, whose kind says what happened. An
 *       interrupt throws an {@link java.io.InterruptedIOException}.
 *   <li>Implementations are safe for use by many threads.
 * </ol>
 */
public interface ObjectStore extends AutoCloseable {
  /** Returns the bucket's name, for messages. */
  String bucket();

  /**
   * Returns the name of the endpoint, for messages and as the key of the state that the buckets of
   * one endpoint share. Returns an empty string for a store that shares nothing with other stores.
   */
  default String endpoint() {
    return "";
  }

  /**
   * Reads one range. A bounded range may end after the end of the object, but must start inside the
   * object. A range that starts at or after the end fails with {@code RANGE_NOT_SATISFIABLE}, and
   * so does any range of an empty object.
   *
   * @param ifMatch the ETag that the object must have; if the object has another ETag, the call
   *     fails with {@code PRECONDITION_FAILED}
   */
  ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException;

  ObjectMeta head(String key) throws IOException;

  /** Writes a whole object of at most 5 GiB and returns its ETag. */
  String put(String key, Body body, Condition condition) throws IOException;

  /**
   * Copies an object of at most 5 GiB inside the bucket and returns the ETag of the copy. The store
   * itself copies the bytes.
   *
   * @param sourceIfMatch the ETag that the source must have; if the source has another ETag, the
   *     call fails with {@code PRECONDITION_FAILED}
   */
  String copy(String sourceKey, String key, Optional<String> sourceIfMatch) throws IOException;

  /** Deletes the object at the key. Succeeds also when there is no such object. */
  void delete(String key) throws IOException;

  /**
   * Deletes 1 to 1,000 keys in one request.
   *
   * @return the keys that were not deleted, each with its failure; empty when all keys were deleted
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
   * @param writeId the write id of the object that the upload will create, as in a {@link
   *     Condition}
   */
  Upload createUpload(String key, Optional<String> writeId) throws IOException;

  /**
   * Stores a part. A part that is sent again under the same number replaces the earlier one. Every
   * part except the last must have at least 5 MiB.
   */
  Part uploadPart(Upload upload, int number, Body body) throws IOException;

  /**
   * Stores a part under one of its numbers; the returned part has the number that was used. A
   * wrapper that makes several attempts chooses a number for each attempt. Without such a wrapper
   * the first number is used.
   */
  default Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    return uploadPart(upload, numbers.first(), body);
  }

  /** Returns the numbering that this store's uploads use for their parts. */
  default PartNumbering partNumbering() {
    return PartNumbering.CONSECUTIVE;
  }

  /**
   * Returns true if requests that are cut off do not harm their upload. In such a store, when two
   * attempts send the same part number at the same time, one of the two parts stays, even if the
   * other attempt is cut off; and a Complete is carried out either fully or not at all. Amazon S3
   * is such a store. MinIO is not: it may drop the part or the upload.
   */
  default boolean uploadsSurviveCuts() {
    return true;
  }

  /**
   * Stores a range of another object of the bucket as a part. The store itself copies the bytes.
   */
  Part copyPart(Upload upload, int number, String sourceKey, ByteRange range) throws IOException;

  /**
   * Makes the object that consists of these parts visible, atomically, and returns its ETag. If the
   * condition does not hold, the call fails and the upload stays in progress.
   */
  String completeUpload(PendingUpload pending, Condition condition) throws IOException;

  /** Drops the upload and its parts. Succeeds also when there is no such upload. */
  void abortUpload(Upload upload) throws IOException;

  /**
   * Returns a page of the uploads in progress whose key starts with the prefix. Some stores (MinIO)
   * match whole keys only.
   */
  UploadsPage listUploads(String prefix, Optional<String> token) throws IOException;

  /**
   * Returns true if {@link #listUploads} is known to accept any prefix of a key, and not only whole
   * keys.
   */
  default boolean listsUploadsByPrefix() {
    return true;
  }

  /**
   * Returns a page of the parts of an upload that are in the store.
   *
   * @param token the next token of the previous page; empty for the first page
   */
  PartsPage listParts(Upload upload, Optional<String> token) throws IOException;

  /**
   * Returns true if the store honours a {@link Condition}. If this is not known yet, the call finds
   * out with test requests. A store without conditional writes ignores the condition and overwrites
   * the object, so call this method before you rely on a condition.
   */
  boolean supportsConditionalWrites() throws IOException;

  @Override
  void close();
}
