/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Request;
import io.penstock.core.request.Resolution;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.io.IOException;
import java.util.Optional;

/**
 * A conditional PUT whose object is recognized by its write id. So it may be repeated, and made
 * twice at the same time: if an attempt is refused because another one has made the object, the PUT
 * has succeeded.
 *
 * @param end sends each request once
 * @param writeId the id that no other write has
 */
record IdentifiedPut(ObjectStore end, LostAnswers lostAnswers, String key, String writeId)
    implements Resolution<String> {
  @Override
  public String afterLostAnswer(StoreException failure) throws IOException {
    if (LostAnswers.mayBeOurPut(failure)) {
      return lostAnswers.ofPut(failure, key, writeId);
    }
    throw failure;
  }

  @Override
  public String refusedBesideAnother(StoreException refusal, Look look) throws IOException {
    if (refusal.kind() != Kind.PRECONDITION_FAILED) {
      throw refusal;
    }
    ObjectMeta there;
    try {
      there = look.send(Request.of(Operation.HEAD, end.bucket(), key), context -> end.head(key));
    } catch (IOException e) {
      throw undecided(refusal, e);
    }
    if (there.writeId().equals(Optional.of(writeId))) {
      return there.etag();
    }
    throw refusal;
  }

  /**
   * Returns the failure to throw if it could not be checked whose object exists. The refusal may be
   * caused by our own object. If the check may be retried, the failure makes the caller repeat the
   * request; otherwise the refusal is returned.
   */
  private IOException undecided(StoreException refusal, IOException failure) {
    if (!(failure instanceof StoreException known) || known.kind().retry() == Retry.NEVER) {
      refusal.addSuppressed(failure);
      return refusal;
    }
    StoreException undecided =
        new StoreException(
            Kind.CONNECTION_LOST,
            Operation.PUT,
            "s3://" + end.bucket() + "/" + key,
            "the store refused this attempt, perhaps because another attempt at the same request"
                + " succeeded; Penstock could not find out whether one did.",
            null,
            failure);
    undecided.addSuppressed(refusal);
    return undecided;
  }
}
