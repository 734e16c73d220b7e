/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.api.S3Error;
import java.io.IOException;
import java.util.Map;

/** Ends a request with one of S3's errors. */
final class S3Failure extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient S3Error error;

  S3Failure(S3Error error) {
    super(error.code() + ": " + error.message());
    this.error = error;
  }

  S3Failure(int status, String code, String message) {
    this(new S3Error(status, code, message));
  }

  S3Error error() {
    return error;
  }

  static S3Failure invalidArgument(String message) {
    return new S3Failure(400, "InvalidArgument", message);
  }

  static S3Failure notImplemented(String what) {
    return new S3Failure(501, "NotImplemented", what + " is not implemented here.");
  }

  static S3Failure noSuchKey(String key) {
    return new S3Failure(
        new S3Error(404, "NoSuchKey", "The specified key does not exist.", Map.of("Key", key)));
  }

  static S3Failure noSuchUpload(String uploadId) {
    return new S3Failure(
        new S3Error(
            404,
            "NoSuchUpload",
            "The specified upload does not exist. The upload ID may be invalid, or the upload may"
                + " have been aborted or completed.",
            Map.of("UploadId", uploadId)));
  }

  static S3Failure preconditionFailed(String condition) {
    return new S3Failure(
        new S3Error(
            412,
            "PreconditionFailed",
            "At least one of the pre-conditions you specified did not hold",
            Map.of("Condition", condition)));
  }
}
