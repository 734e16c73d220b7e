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
          "Correct the name. If it is right, the bucket is at another endpoint or belongs to"
              + " another account; check with: aws s3api head-bucket --bucket NAME.";
      case ACCESS_DENIED ->
          "Grant the permission to these credentials; docs/permissions.md has whole policies.";
      case BAD_CREDENTIALS ->
          "Use credentials that this store knows: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
              + " or penstock.access.key and penstock.secret.key, or use a profile or a role.";
      case EXPIRED_CREDENTIALS ->
          "Renew the credentials, or use a source that renews them automatically.";
      case WRONG_REGION -> "Set penstock.region to the bucket's region.";
      case UNREACHABLE, CONNECTION_LOST ->
          "Check host, port and scheme of penstock.endpoint, and the network path to it.";
      case THROTTLED, SERVER_ERROR ->
          "The store has a fault or is overloaded. Try again later, or ask its operator.";
      case UNSUPPORTED, INVALID_REQUEST, NOT_S3 ->
          "Check that penstock.endpoint is an S3 endpoint and that its port is right. MinIO's"
              + " console, for example, has another port.";
      case PARENT_IS_OBJECT -> "Delete the object, or choose another prefix.";
      case NO_SUCH_KEY, NO_SUCH_UPLOAD, PRECONDITION_FAILED, CONFLICT, RANGE_NOT_SATISFIABLE ->
          "Another program changes the same keys, or the store is not consistent. Try again.";
    };
  }
}
