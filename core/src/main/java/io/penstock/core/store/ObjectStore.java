/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One bucket of an S3 store. The interface mirrors S3 and not a file system: it has keys, prefixes
 * and uploads, and no directories.
 *
 * <p>A key that no object can have ({@link KeyLimits#canExist}, or a name that the store refuses)
 * is a key without an object to calls that read or delete; calls that write fail with {@code
 * INVALID_REQUEST}.
 *
 * <ol>
 *   <li>Every call stands for one S3 request and blocks until the whole answer has arrived. A store
 *       sends more requests only to correct or explain a refusal that had no effect, and to read
 *       again what does not match its ETag. No connection stays in use after a call.
 *   <li>When a write has returned, it is durable and visible to every later call of any client.
 *   <li>Listings are in UTF-8 byte order of the keys.
 *   <li>A failed request throws a {@link StoreException}, whose kind says what happened. Each
 *       method names the kinds that are special to it. Every call may also fail with the kinds that
 *       concern the bucket, the permissions, the credentials, the network or the load of the store.
 *   <li>A call that is interrupted throws an {@link java.io.InterruptedIOException} and leaves the
 *       thread's interrupt flag set. Work that a {@link io.penstock.core.caller.Cancellation} ended
 *       throws the same exception without the flag.
 *   <li>An IOException of another type is not an answer of the store: the body could not be read,
 *       the store is closed, or a wait reached its limit. It is never repeated.
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

  /** Returns the most requests that the store sends at once; more wait for a connection. */
  default int requestsMax() {
    return Integer.MAX_VALUE;
  }

  /** Returns in what this store differs from others. */
  StoreTraits traits();

  /**
   * Reads one range. A bounded range may end after the end of the object, but must start inside the
   * object. A range that starts at or after the end fails with {@code RANGE_NOT_SATISFIABLE}, and
   * so does any range of an empty object.
   *
   * @param range contains at most {@code Integer.MAX_VALUE} bytes of the object, because they are
   *     returned in one array
   * @param ifMatch the ETag that the object must have; if the object has another ETag, the call
   *     fails with {@code PRECONDITION_FAILED}
   * @return the bytes of the range that are inside the object; never empty
   * @throws StoreException NO_SUCH_KEY when the object does not exist
   * @throws ArithmeticException when the range contains more bytes of the object than one array
   *     holds
   */
  ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException;

  /**
   * Reads one range of one version like {@link #get}, and passes its bytes on while they arrive. So
   * no array of the range's size is needed. A wrapper that makes several attempts passes bytes on
   * more than once, also from several threads at once, and even after this call has ended; since
   * all are of the same version, they are the same each time. If the call fails, some of the bytes
   * may have been passed on. A store compares nothing with the ETag, even if the range is the whole
   * object.
   *
   * @param etag the ETag that the object must have, as in {@link #get}
   */
  default ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    ObjectSlice slice = get(key, range, Optional.of(etag));
    sink.take(slice.start(), slice.bytes(), 0, slice.bytes().length);
    return new ReadResult(slice.meta(), new ByteRange(slice.start(), slice.end()));
  }

  /**
   * Returns the metadata of an object, with its write id if it has one.
   *
   * @throws StoreException NO_SUCH_KEY when the object does not exist
   */
  ObjectMeta head(String key) throws IOException;

  /**
   * Writes a whole object of at most 5 GiB, with the metadata of the body, and returns its ETag. A
   * failure of a kind that may be repeated only {@code IF_IDEMPOTENT} leaves open whether the
   * object was written.
   *
   * @throws StoreException PRECONDITION_FAILED when the condition does not hold; CONFLICT when
   *     another conditional write to the key was under way, so that it is not known yet whether the
   *     condition holds; INVALID_REQUEST when the body is larger than 5 GiB or the key does not
   *     have 1 to 1,024 bytes
   * @throws IOException of another type when the body cannot be read; then nothing is written
   */
  String put(String key, Body body, Condition condition) throws IOException;

  /**
   * Copies an object of at most 5 GiB inside the bucket and returns the ETag of the copy. The store
   * itself copies the bytes. An existing object at {@code key} is replaced. The copy has the write
   * id of its source.
   *
   * @param sourceIfMatch the ETag that the source must have; if the source has another ETag, the
   *     call fails with {@code PRECONDITION_FAILED}
   * @throws StoreException NO_SUCH_KEY when the source does not exist; INVALID_REQUEST when it is
   *     larger than 5 GiB
   */
  String copy(String sourceKey, String key, Optional<String> sourceIfMatch) throws IOException;

  /** Deletes the object at the key. Succeeds also when there is no such object. */
  default void delete(String key) throws IOException {
    delete(key, Condition.NONE);
  }

  /**
   * Deletes the object at the key if it meets the condition. Succeeds also when there is no such
   * object. A store that ignores the condition deletes any object, see {@link
   * #supportsConditionalWrites}; a store may honour conditions of writes and ignore those of
   * deletions.
   *
   * @param condition {@link Condition#NONE} or an {@link Condition#ifMatch}; its write id is
   *     ignored
   * @throws StoreException PRECONDITION_FAILED when the object has another ETag than the required
   *     one; CONFLICT when another conditional write of the key was under way
   * @throws IllegalArgumentException when the condition requires that there is no object
   */
  void delete(String key, Condition condition) throws IOException;

  /** Deletes 1 to 1,000 keys in one request, each whatever object it has. */
  default Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    return deleteAll(Condition.noneFor(keys));
  }

  /**
   * Deletes 1 to 1,000 keys in one request, each under its condition as in {@link #delete(String,
   * Condition)}. Only a store with the trait {@link StoreTraits#comparesEtagsInBulk} is known to
   * honour the conditions. A key without an object counts as deleted. One key can make the store
   * refuse the whole request, see {@link KeyLimits#fitsXml}; {@link Keys#deletePage} has no such
   * limit.
   *
   * @return the keys that were not deleted, each with its failure; empty when all keys were
   *     deleted. A key of which the answer says nothing fails with {@code NOT_S3}; the object may
   *     be deleted or not
   * @throws StoreException INVALID_REQUEST when there are no keys or more than 1,000; any kind when
   *     the request as a whole failed, so that it is not known which keys were deleted
   */
  Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException;

  /**
   * Returns one page of the objects and groups that the request selects. The page may have fewer
   * entries than asked for, even none, and still not be the last one: only {@link
   * ListPage#nextToken} tells. Nothing under the prefix is an empty page, not a failure.
   *
   * @throws StoreException UNSUPPORTED when XML cannot carry the prefix and the store does not
   *     escape the names in its answer: it would show another name
   */
  ListPage list(ListRequest request) throws IOException;

  /**
   * Returns one page of the versions of the objects that the request selects, without groups. In a
   * bucket that has never kept versions, each object is one version, {@link ObjectVersion#NULL}.
   *
   * @throws StoreException UNSUPPORTED as for {@link #list}, and from a store that has no versions
   */
  VersionsPage listVersions(ListRequest request) throws IOException;

  /**
   * Reads one range of one version like {@link #get}.
   *
   * @throws StoreException NO_SUCH_KEY when there is no such version; any kind when it is a delete
   *     marker
   */
  ObjectSlice getVersion(String key, String versionId, Range range) throws IOException;

  /**
   * Deletes up to 1,000 versions for good, in one request, and in one more for each key that XML
   * cannot carry. If one was the latest of its key, the next older one takes its place: without its
   * delete marker an object exists again.
   *
   * @param versions the id of a version of each key
   * @return the keys whose version was not deleted, each with its failure, as in {@link
   *     #deleteAll(Map)}; a version that does not exist counts as deleted
   * @throws StoreException as {@link #deleteAll(Map)}
   */
  Map<String, StoreException> deleteVersions(Map<String, String> versions) throws IOException;

  /** Starts an upload of an object without a write id. */
  default Upload createUpload(String key) throws IOException {
    return createUpload(key, Optional.empty());
  }

  /** Starts an upload of an object without user-defined metadata. */
  default Upload createUpload(String key, Optional<String> writeId) throws IOException {
    return createUpload(key, writeId, UserMetadata.NONE);
  }

  /**
   * Starts an upload. The caller must complete or abort it. After a failure of a kind that may be
   * repeated only {@code IF_IDEMPOTENT} an upload with an unknown id may exist.
   *
   * @param writeId the write id of the object that the upload will create, as in a {@link
   *     Condition}
   * @param user what the object will have; its parts' bodies have none
   */
  Upload createUpload(String key, Optional<String> writeId, UserMetadata user) throws IOException;

  /**
   * Stores a part under one of its numbers; the returned part has the number that was used. A
   * wrapper that makes several attempts chooses a number for each attempt. Without such a wrapper
   * the first number is used. A part that is sent again under the same number replaces the earlier
   * one. Every part except the last must have at least 5 MiB. The store checks this limit only when
   * the upload is completed.
   *
   * @param body at most 5 GiB
   * @throws StoreException NO_SUCH_UPLOAD when the upload was completed or aborted
   * @throws IOException of another type when the body cannot be read
   */
  Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException;

  /**
   * Stores a part that has one number only.
   *
   * @param number 1 to 10,000
   */
  default Part uploadPart(Upload upload, int number, Body body) throws IOException {
    return uploadPart(upload, PartNumbers.only(number), body);
  }

  /**
   * Stores a range of another object of the bucket as a part. The store itself copies the bytes.
   *
   * @param range must lie completely inside the source, unlike a range of {@link #get}
   * @param sourceIfMatch the ETag that the source must have; if the source has another ETag, the
   *     call fails with {@code PRECONDITION_FAILED}
   * @throws StoreException INVALID_REQUEST when the range is not inside the source; NO_SUCH_KEY
   *     when there is no source; NO_SUCH_UPLOAD when the upload was completed or aborted
   */
  Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException;

  /** Stores a range of another object as a part, whatever ETag the object has. */
  default Part copyPart(Upload upload, int number, String sourceKey, ByteRange range)
      throws IOException {
    return copyPart(upload, number, sourceKey, range, Optional.empty());
  }

  /**
   * Makes the object that consists of these parts visible, atomically, and returns its ETag. If the
   * condition does not hold, the call fails and the upload stays in progress; the caller aborts it.
   * S3 may refuse to complete it later if another write of the key was under way.
   *
   * @param condition its write id is ignored; the object gets the one given to {@link
   *     #createUpload}
   * @throws StoreException PRECONDITION_FAILED when the condition does not hold or another write of
   *     the key was under way; NO_SUCH_UPLOAD when the upload was completed or aborted, also by a
   *     request of this caller whose answer was lost; INVALID_REQUEST when the part numbers do not
   *     rise, a part is not in the store with its ETag, or a part before the last is under 5 MiB
   */
  String completeUpload(PendingUpload pending, Condition condition) throws IOException;

  /**
   * Drops the upload and its parts. Succeeds also when there is no such upload. A part that is
   * still being sent may be stored after the abort, so callers first wait for or cut off the
   * requests for parts.
   */
  void abortUpload(Upload upload) throws IOException;

  /**
   * Returns a page of the uploads in progress whose key starts with the prefix. Some stores (MinIO)
   * match whole keys only. Such a store returns no uploads for a prefix that is not a whole key,
   * see {@link StoreTraits#listsUploadsByPrefix}. The order is not specified.
   *
   * @param prefix empty for all keys
   * @param token the next token of the previous page; empty for the first page
   */
  UploadsPage listUploads(String prefix, Optional<String> token) throws IOException;

  /**
   * Returns a page of the parts of an upload that are in the store.
   *
   * @param token the next token of the previous page; empty for the first page
   * @throws StoreException NO_SUCH_UPLOAD when the upload was completed or aborted
   */
  PartsPage listParts(Upload upload, Optional<String> token) throws IOException;

  /**
   * Returns true if the store honours a {@link Condition}. If this is not known yet, the call finds
   * out with test requests. A store without conditional writes ignores the condition and overwrites
   * the object, so call this method before you rely on a condition. The test writes, and deletes
   * again, an object named {@code __penstock_probe_…}. Its answer is remembered for the bucket;
   * other callers wait for a test under way.
   *
   * @param key one that the caller may write; the test's object is in the same directory
   * @throws IOException when a test request fails; the answer is then still unknown, and the next
   *     call tests again
   */
  boolean supportsConditionalWrites(String key) throws IOException;

  /**
   * Returns true if the store has conditional writes, and honours conditions also when an upload is
   * completed. Where it does not, this port looks before it completes, so a request that arrives
   * late may replace an object that does not meet the condition any more.
   *
   * @param key as in {@link #supportsConditionalWrites}
   * @throws IOException as {@link #supportsConditionalWrites}
   */
  boolean supportsConditionalCompletes(String key) throws IOException;

  /**
   * Gives back what the store uses. Makes no request and does not wait for calls under way. A
   * second close has no effect. Do not use the store afterwards: a later call may fail with an
   * IOException.
   */
  @Override
  void close();
}
