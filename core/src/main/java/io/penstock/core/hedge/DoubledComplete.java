/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * A Complete request on a store that may lose the upload when a Complete is cut. If the first
 * attempt is slow, it is not cut; a second attempt is made beside it. The store carries out one of
 * them and refuses the other, because the upload no longer exists then. So while there are two
 * attempts, a refusal proves nothing. An attempt is cut only after another one has made the object.
 */
final class DoubledComplete implements Race.Request<String> {
  private final PendingUpload pending;
  private Race<String> race;

  DoubledComplete(PendingUpload pending) {
    this.pending = pending;
  }

  String in(Race.Track track, HedgeDecider decider) throws IOException {
    long delayNanos = decider.begin(Operation.COMPLETE_UPLOAD, pending.sizeBytes());
    race = new Race<>(track, delayNanos, this);
    return race.run();
  }

  @Override
  public String to(ObjectStore store, UnaryOperator<Body> gate, int attempt) throws IOException {
    try {
      String etag = store.completeUpload(pending, Condition.NONE);
      return race.isOfOne() ? etag : seen(store, null);
    } catch (StoreException e) {
      boolean isOther = e.kind() == Kind.NO_SUCH_UPLOAD || e.kind() == Kind.INVALID_REQUEST;
      if (!isOther || race.isOfOne()) {
        throw e;
      }
      return seen(store, e);
    }
  }

  /**
   * Returns the object's ETag if it proves that this upload made the object. Otherwise throws, so
   * that the request is retried. This check is needed because versitygw accepts the second Complete
   * while the first one is still in progress.
   *
   * @param refusal of this attempt, or null
   */
  private String seen(ObjectStore store, StoreException refusal) throws IOException {
    IOException why = refusal;
    try {
      String etag = store.head(pending.key()).etag();
      if (Etags.match(etag, Etags.ofParts(pending.parts()))) {
        return etag;
      }
    } catch (IOException e) {
      why = e;
    } catch (IllegalArgumentException e) {
      why = refusal; // The parts' ETags are no MD5s, so nothing proves that the object is ours.
    }
    throw new StoreException(
        Kind.CONNECTION_LOST,
        Operation.COMPLETE_UPLOAD,
        "s3://" + store.bucket() + "/" + pending.key(),
        "undecided, because another attempt of its own is at work.",
        null,
        why);
  }
}
