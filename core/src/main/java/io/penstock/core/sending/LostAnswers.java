/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Wait;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves failures of repeated writes. If an earlier attempt of a write succeeded and its answer
 * was lost, the repeated write fails because of that earlier attempt. This class reads the object's
 * metadata to find out whether this write made the object.
 *
 * @param store the store to check, with retries
 */
record LostAnswers(ObjectStore store, Time time) {
  private static final Logger LOG = LoggerFactory.getLogger(LostAnswers.class);

  private static final List<Duration> COMPLETION_WAITS =
      List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(3));

  /**
   * Returns true if a conditional PUT may fail in this way because an earlier attempt succeeded.
   */
  static boolean mayBeOurPut(StoreException failure) {
    return failure.kind() == Kind.PRECONDITION_FAILED || failure.kind() == Kind.CONFLICT;
  }

  /**
   * Returns true if a Complete may fail in this way because an earlier attempt succeeded. A MinIO
   * store that crashed during a Complete may still have the upload, without the parts that now
   * belong to the object. Then the Complete fails with {@code INVALID_REQUEST}. That failure counts
   * only for an unconditional Complete, where any object of the same parts is as good as ours.
   */
  static boolean mayBeOurCompletion(StoreException failure, Condition condition) {
    return switch (failure.kind()) {
      case NO_SUCH_UPLOAD, PRECONDITION_FAILED -> true;
      case INVALID_REQUEST -> condition.equals(Condition.NONE);
      default -> false;
    };
  }

  /**
   * Returns the ETag of the object that our PUT wrote.
   *
   * @param writeId the write id that only this write has; comparing the content would not be
   *     enough, because others may write the same content
   * @throws StoreException the failure, when the object at the key is not ours
   */
  String ofPut(StoreException failure, String key, String writeId) throws IOException {
    ObjectMeta found = look(failure, key);
    if (found.writeId().equals(Optional.of(writeId))) {
      return done(failure, found);
    }
    throw failure;
  }

  /**
   * Returns true if there is no object at the key any more. An object that is there is not the one
   * that was to be deleted: another writer has put it there since.
   *
   * @throws StoreException the failure, when the store does not tell
   */
  boolean isGone(StoreException failure, String key) throws IOException {
    try {
      store.head(key);
      return false;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        LOG.info("DELETE {}: the answer was lost, but the request had succeeded", key);
        return true;
      }
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /**
   * Returns the ETag of the object that our upload created.
   *
   * @throws StoreException the failure, when the object at the key is not ours
   */
  String ofCompletion(StoreException failure, PendingUpload pending) throws IOException {
    ObjectMeta found = lookPatiently(failure, pending.key());
    if (found.sizeBytes() == pending.sizeBytes() && isOf(pending, found, failure)) {
      if (failure.kind() == Kind.INVALID_REQUEST) {
        dropRest(pending);
      }
      return done(failure, found);
    }
    throw failure;
  }

  /**
   * Checks that the object of a completed upload exists. The versitygw store answers a repeated
   * Complete with success while the first Complete is still under way. If versitygw crashed during
   * the first Complete, it answers with success for ever.
   *
   * @throws StoreException when there is no such object although the store reported success
   */
  void expectCompletion(PendingUpload pending, String etag) throws IOException {
    StoreException missing =
        StoreException.of(
            Kind.NO_SUCH_UPLOAD,
            Operation.COMPLETE_UPLOAD,
            "s3://" + store.bucket() + "/" + pending.key(),
            "the store says that the upload is completed, but its object does not exist: the store"
                + " has lost the upload, which can happen when a store crashes during the"
                + " completion.");
    ObjectMeta found = lookPatiently(missing, pending.key());
    boolean isOurs = pending.writeId().isPresent() && found.writeId().equals(pending.writeId());
    if (!isOurs && !Etags.match(found.etag(), etag)) {
      throw missing;
    }
  }

  private void dropRest(PendingUpload pending) {
    try {
      store.abortUpload(pending.upload());
    } catch (IOException e) {
      LOG.warn(
          "{}: the object is complete, but leftovers of its upload could not be aborted: {}",
          pending.key(),
          e.getMessage());
    }
  }

  /**
   * Returns true if an object of the upload's size was made by the upload. An older object with the
   * same size and number of parts must not count as ours. The proofs are:
   *
   * <ul>
   *   <li>The object has the upload's write id. If it has another one, it is another writer's.
   *   <li>The object's ETag is computed from the ETags of the upload's parts. If the condition of
   *       the Complete failed, another writer may have sent the same bytes in the same parts; in
   *       that case our upload must also be gone.
   *   <li>If the parts' ETags are not MD5s, the object's ETag has the same number of parts and the
   *       store says that the upload is gone.
   * </ul>
   */
  private boolean isOf(PendingUpload pending, ObjectMeta found, StoreException failure)
      throws StoreException {
    if (pending.writeId().isPresent() && found.writeId().isPresent()) {
      return found.writeId().equals(pending.writeId());
    }
    boolean isGone = failure.kind() != Kind.PRECONDITION_FAILED;
    String expected = etagOf(pending);
    if (expected.isEmpty()) {
      return failure.kind() == Kind.NO_SUCH_UPLOAD
          && found.etag().endsWith("-" + pending.parts().size());
    }
    return Etags.match(found.etag(), expected) && (isGone || !isInProgress(pending, failure));
  }

  private static String etagOf(PendingUpload pending) {
    try {
      return Etags.ofParts(pending.parts());
    } catch (IllegalArgumentException e) {
      return ""; // The parts' ETags are not MD5s, so nothing proves that the object is ours.
    }
  }

  private boolean isInProgress(PendingUpload pending, StoreException failure)
      throws StoreException {
    try {
      return Keys.uploads(store, pending.key()).stream()
          .anyMatch(listed -> listed.upload().equals(pending.upload()));
    } catch (IOException e) {
      if (e instanceof StoreException refusal
          && (refusal.kind() == Kind.ACCESS_DENIED || refusal.kind() == Kind.UNSUPPORTED)) {
        return false; // Many users may not list uploads; then the equal ETag is proof enough.
      }
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /**
   * Reads the object's metadata, and waits some seconds for the object to appear. An attempt whose
   * answer was lost may still be under way, and the upload is gone before the object is there.
   */
  private ObjectMeta lookPatiently(StoreException failure, String key) throws IOException {
    for (Duration wait : COMPLETION_WAITS) {
      try {
        return store.head(key);
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY || failure.kind() == Kind.PRECONDITION_FAILED) {
          failure.addSuppressed(e);
          throw failure;
        }
      }
      sleep(wait, failure);
    }
    return look(failure, key);
  }

  private void sleep(Duration wait, StoreException failure) throws IOException {
    try {
      Caller caller = Caller.current();
      caller.waits(Wait.FOR_RETRY, () -> caller.sleep(time, wait, () -> false));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  private ObjectMeta look(StoreException failure, String key) throws IOException {
    try {
      return store.head(key);
    } catch (StoreException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private static String done(StoreException failure, ObjectMeta found) {
    LOG.info(
        "{} {}: the answer was lost, but the request had succeeded",
        failure.operation(),
        found.key());
    return found.etag();
  }
}
