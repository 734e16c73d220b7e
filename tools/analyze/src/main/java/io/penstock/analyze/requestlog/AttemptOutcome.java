/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.requestlog;

import java.util.HashMap;
import java.util.Map;

/**
 * The status and error code of S3 that correspond to an outcome in Penstock's request log.
 *
 * @param status 0 when there was no answer
 * @param error null when the request succeeded
 */
record AttemptOutcome(int status, String error) {
  private static final Map<String, AttemptOutcome> KNOWN = new HashMap<>();

  static {
    KNOWN.put("OK", new AttemptOutcome(200, null));
    known("THROTTLED", 503, "SlowDown");
    known("SERVER_ERROR", 500, "InternalError");
    known("NO_SUCH_KEY", 404, "NoSuchKey");
    known("NO_SUCH_BUCKET", 404, "NoSuchBucket");
    known("NO_SUCH_UPLOAD", 404, "NoSuchUpload");
    known("PRECONDITION_FAILED", 412, "PreconditionFailed");
    known("CONFLICT", 409, "ConditionalRequestConflict");
    known("RANGE_NOT_SATISFIABLE", 416, "InvalidRange");
    known("ACCESS_DENIED", 403, "AccessDenied");
    known("BAD_CREDENTIALS", 403, "InvalidAccessKeyId");
    known("EXPIRED_CREDENTIALS", 400, "ExpiredToken");
    known("WRONG_REGION", 301, "PermanentRedirect");
    known("INVALID_REQUEST", 400, "InvalidRequest");
    known("PARENT_IS_OBJECT", 409, "ObjectParentIsFile");
    known("UNSUPPORTED", 501, "NotImplemented");
    known("NOT_S3", 200, "NotS3");
  }

  private static void known(String name, int status, String error) {
    KNOWN.put(name, new AttemptOutcome(status, error));
  }

  /**
   * Returns the status and error for an outcome. An outcome without an answer, such as a lost
   * connection, keeps its own name as the error.
   */
  static AttemptOutcome of(String name) {
    AttemptOutcome known = KNOWN.get(name);
    return known == null ? new AttemptOutcome(0, name) : known;
  }
}
