/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.StoreException;
import io.penstock.doctor.CheckOutcome;

/** Explains why the store refused a request, and what to change. */
final class Refusal {
  private Refusal() {}

  static CheckOutcome of(String check, StoreException e) {
    return CheckOutcome.fail(check, e.getMessage(), fix(e));
  }

  private static String fix(StoreException e) {
    return switch (e.kind()) {
      case NO_SUCH_BUCKET ->
          "Correct the name; or the bucket is at another endpoint or of another account: aws s3api"
              + " head-bucket --bucket NAME.";
      case ACCESS_DENIED ->
          "Ask the bucket's owner for the permission of %s on it; see docs/permissions.md."
              .formatted(e.operation());
      case BAD_CREDENTIALS ->
          "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or penstock.access.key and"
              + " penstock.secret.key, a profile, a role) to a pair that this store knows.";
      case EXPIRED_CREDENTIALS -> "Renew the credentials, or take a source that renews itself.";
      case WRONG_REGION -> "Set penstock.region to the bucket's region.";
      case UNREACHABLE, CONNECTION_LOST ->
          "Look at host, port and scheme of penstock.endpoint, and at the way there.";
      case THROTTLED, SERVER_ERROR ->
          "The store is not well or too busy: try again, ask its owner.";
      case UNSUPPORTED, INVALID_REQUEST, NOT_S3 ->
          "Is it an S3 endpoint, and the right port? MinIO's console, for one, is another.";
      case PARENT_IS_OBJECT -> "Delete the object, or choose another prefix.";
      case NO_SUCH_KEY, NO_SUCH_UPLOAD, PRECONDITION_FAILED, CONFLICT, RANGE_NOT_SATISFIABLE ->
          "Somebody else changes the same keys, or the store is not consistent: try again.";
    };
  }
}
