/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Request;
import io.penstock.core.request.Resolution;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;

/**
 * A Complete. A store may lose the upload when a Complete is cut. There a slow attempt is not cut,
 * but a second one is made beside it. The store carries out one of them and refuses the other,
 * because the upload no longer exists then. So while there are two attempts, a refusal proves
 * nothing. An attempt is cut only after another one has made the object.
 *
 * @param end sends each request once
 */
record Completion(
    ObjectStore end, LostAnswers lostAnswers, PendingUpload pending, Condition condition)
    implements Resolution<String> {
  @Override
  public String afterLostAnswer(StoreException failure) throws IOException {
    if (LostAnswers.mayBeOurCompletion(failure, condition)) {
      return lostAnswers.ofCompletion(failure, pending);
    }
    throw failure;
  }

  @Override
  public void confirm(String etag) throws IOException {
    if (!end.traits().uploadsSurviveCuts()) {
      lostAnswers.expectCompletion(pending, etag);
    }
  }

  @Override
  public String refusedBesideAnother(StoreException refusal, Look look) throws IOException {
    if (refusal.kind() == Kind.NO_SUCH_UPLOAD || refusal.kind() == Kind.INVALID_REQUEST) {
      return seen(look, refusal);
    }
    throw refusal;
  }

  @Override
  public String answeredBesideAnother(String etag, Look look) throws IOException {
    return seen(look, null);
  }

  /**
   * Returns the object's ETag if it proves that this upload made the object. Otherwise throws, so
   * that the request is retried. This check is needed because versitygw accepts the second Complete
   * while the first one is still in progress.
   *
   * @param refusal of this attempt, or null
   */
  private String seen(Look look, StoreException refusal) throws IOException {
    IOException why = refusal;
    String key = pending.key();
    try {
      ObjectMeta found =
          look.send(Request.of(Operation.HEAD, end.bucket(), key), context -> end.head(key));
      if (Etags.isOfParts(found.etag(), pending.parts())) {
        return found.etag();
      }
    } catch (IOException e) {
      why = e;
    }
    throw new StoreException(
        Kind.CONNECTION_LOST,
        Operation.COMPLETE_UPLOAD,
        "s3://" + end.bucket() + "/" + key,
        "the outcome is not known, because another attempt at the same request is still running.",
        null,
        why);
  }
}
