/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.pool.Wait;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write that had been done fails when it is repeated, because of itself. Finds out by looking
 * whether the object there is the one that was written.
 *
 * @param store asked with retries
 */
record LostAnswers(ObjectStore store, Time time) {
  private static final Logger LOG = LoggerFactory.getLogger(LostAnswers.class);

  private static final List<Duration> COMPLETION_WAITS =
      List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** Returns true if a conditional PUT may fail like this because it has been done before. */
  static boolean mayBeOurPut(StoreException failure) {
    return failure.kind() == Kind.PRECONDITION_FAILED || failure.kind() == Kind.CONFLICT;
  }

  /**
   * Returns true if a Complete may fail like this because it has been done before. A store that
   * died in the middle of it may still have the upload, without the parts that are the object's now
   * (MinIO). Only where any object of the same parts serves as well as ours, that is taken for it.
   */
  static boolean mayBeOurCompletion(StoreException failure, Condition condition) {
    return switch (failure.kind()) {
      case NO_SUCH_UPLOAD, PRECONDITION_FAILED -> true;
      case INVALID_REQUEST -> condition.equals(Condition.NONE);
      default -> false;
    };
  }

  /**
   * The ETag of our PUT.
   *
   * @param writeId that only this write has; the content would not tell, others may write the same
   * @throws StoreException the failure, when the object there is not ours
   */
  String ofPut(StoreException failure, String key, String writeId) throws IOException {
    ObjectMeta found = look(failure, key);
    if (found.writeId().equals(Optional.of(writeId))) {
      return done(failure, found);
    }
    throw failure;
  }

  /**
   * The ETag of the object that our upload became.
   *
   * @throws StoreException the failure, when the object there is not ours
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
   * Makes sure that the object is there. versitygw answers a repeated Complete with success while
   * the first one is at work, and also for ever when it died in that.
   *
   * @throws StoreException when the object is not there although the store says so
   */
  void expectCompletion(PendingUpload pending, String etag) throws IOException {
    StoreException missing =
        StoreException.of(
            Kind.NO_SUCH_UPLOAD,
            Operation.COMPLETE_UPLOAD,
            "s3://" + store.bucket() + "/" + pending.key(),
            "the store says that it is completed, but its object is not there: the store has lost"
                + " the upload, as one does that dies in the middle of a Complete.");
    ObjectMeta found = lookPatiently(missing, pending.key());
    boolean isOurs = pending.writeId().isPresent() && found.writeId().equals(pending.writeId());
    if (!isOurs && !found.etag().equals(etag)) {
      throw missing;
    }
  }

  private void dropRest(PendingUpload pending) {
    try {
      store.abortUpload(pending.upload());
    } catch (IOException e) {
      LOG.warn("{}: the rest of its upload is left: {}", pending.key(), e.getMessage());
    }
  }

  /**
   * Returns true if an object of the upload's size is the upload's. It has the upload's write id,
   * or its ETag is made of the parts' ETags. Only where the parts' ETags are no MD5s, the number of
   * parts in it is proof enough once the store says that the upload is gone. An older object of the
   * same shape must not pass for ours. When the store says that the condition does not hold, the
   * same bytes in the same parts may be another writer's; then our upload is still there.
   */
  private boolean isOf(PendingUpload pending, ObjectMeta found, StoreException failure)
      throws StoreException {
    if (pending.writeId().isPresent() && found.writeId().equals(pending.writeId())) {
      return true;
    }
    boolean isGone = failure.kind() != Kind.PRECONDITION_FAILED;
    String expected = etagOf(pending);
    if (expected.isEmpty()) {
      return failure.kind() == Kind.NO_SUCH_UPLOAD
          && found.etag().endsWith("-" + pending.parts().size());
    }
    return found.etag().equals(expected) && (isGone || !isInProgress(pending, failure));
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
        return false; // Many may not list uploads; the same bytes in the same parts must do then.
      }
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /**
   * An attempt whose answer was lost may still be at work: the upload is gone before the object is
   * there.
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
      Wait.FOR_RETRY.during(() -> Cancellation.sleep(time, wait, () -> false));
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
    LOG.info("{} {}: its answer was lost, but it had been done", failure.operation(), found.key());
    return found.etag();
  }
}
