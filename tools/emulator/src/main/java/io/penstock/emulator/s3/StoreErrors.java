/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.StoreException;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;

/** Maps failures of the store behind the endpoint to S3's error responses. */
final class StoreErrors {
  private StoreErrors() {}

  static S3Error of(StoreException failure, S3Call call) {
    String message = failure.getMessage();
    if (failure.isOfName()) {
      return new S3Error(400, "KeyTooLongError", message);
    }
    return switch (failure.kind()) {
      case NO_SUCH_KEY -> S3Failure.noSuchKey(call.key()).error();
      case NO_SUCH_BUCKET -> Buckets.noSuchBucket(call.bucket()).error();
      case NO_SUCH_UPLOAD -> S3Failure.noSuchUpload(call.query().get("uploadId")).error();
      case PRECONDITION_FAILED -> S3Failure.preconditionFailed("If-Match").error();
      case CONFLICT -> new S3Error(409, "ConditionalRequestConflict", message);
      case RANGE_NOT_SATISFIABLE -> new S3Error(416, "InvalidRange", message);
      case ACCESS_DENIED -> new S3Error(403, "AccessDenied", "Access Denied");
      case BAD_CREDENTIALS -> new S3Error(403, "InvalidAccessKeyId", message);
      case EXPIRED_CREDENTIALS -> new S3Error(400, "ExpiredToken", message);
      case WRONG_REGION -> new S3Error(301, "PermanentRedirect", message);
      case INVALID_REQUEST -> new S3Error(400, "InvalidRequest", message);
      case PARENT_IS_OBJECT -> new S3Error(400, "XMinioParentIsObject", message);
      case UNSUPPORTED -> new S3Error(501, "NotImplemented", message);
      case THROTTLED -> S3Error.slowDown();
      case UNREACHABLE -> new S3Error(503, "ServiceUnavailable", message);
      case CONNECTION_LOST, SERVER_ERROR, NOT_S3 -> S3Error.internalError();
    };
  }
}
