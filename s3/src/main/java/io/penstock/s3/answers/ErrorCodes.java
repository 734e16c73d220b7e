/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates S3's error codes and HTTP statuses. The code is used first because it is more precise.
 */
public final class ErrorCodes {
  /** Finds what AWS says is missing: "User: ARN is not authorized to perform: kms:Decrypt on …". */
  private static final Pattern NAMED_PERMISSION =
      Pattern.compile("not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)");

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("NoSuchKey", Kind.NO_SUCH_KEY),
          Map.entry("NoSuchVersion", Kind.NO_SUCH_KEY),
          Map.entry("NoSuchBucket", Kind.NO_SUCH_BUCKET),
          Map.entry("InvalidBucketName", Kind.NO_SUCH_BUCKET),
          Map.entry("NoSuchUpload", Kind.NO_SUCH_UPLOAD),
          Map.entry("PreconditionFailed", Kind.PRECONDITION_FAILED),
          Map.entry("NotModified", Kind.PRECONDITION_FAILED),
          Map.entry("ConditionalRequestConflict", Kind.CONFLICT),
          Map.entry("OperationAborted", Kind.CONFLICT),
          Map.entry("InvalidRange", Kind.RANGE_NOT_SATISFIABLE),
          Map.entry("AccessDenied", Kind.ACCESS_DENIED),
          Map.entry("AllAccessDisabled", Kind.ACCESS_DENIED),
          Map.entry("AccountProblem", Kind.ACCESS_DENIED),
          Map.entry("InvalidObjectState", Kind.ACCESS_DENIED),
          Map.entry("InvalidAccessKeyId", Kind.BAD_CREDENTIALS),
          Map.entry("SignatureDoesNotMatch", Kind.BAD_CREDENTIALS),
          Map.entry("InvalidToken", Kind.BAD_CREDENTIALS),
          Map.entry("InvalidTokenId", Kind.BAD_CREDENTIALS), // MinIO
          Map.entry("XAdminUserNotFound", Kind.BAD_CREDENTIALS), // versitygw, with status 404
          Map.entry("InvalidSecurity", Kind.BAD_CREDENTIALS),
          Map.entry("NotSignedUp", Kind.BAD_CREDENTIALS),
          Map.entry("RequestTimeTooSkewed", Kind.BAD_CREDENTIALS),
          Map.entry("ExpiredToken", Kind.EXPIRED_CREDENTIALS),
          Map.entry("ExpiredTokenException", Kind.EXPIRED_CREDENTIALS),
          Map.entry("RequestExpired", Kind.EXPIRED_CREDENTIALS),
          Map.entry("TokenRefreshRequired", Kind.EXPIRED_CREDENTIALS),
          Map.entry("PermanentRedirect", Kind.WRONG_REGION),
          Map.entry("TemporaryRedirect", Kind.WRONG_REGION),
          Map.entry("AuthorizationHeaderMalformed", Kind.WRONG_REGION),
          Map.entry("IllegalLocationConstraintException", Kind.WRONG_REGION),
          Map.entry("SlowDown", Kind.THROTTLED),
          Map.entry("SlowDownRead", Kind.THROTTLED),
          Map.entry("SlowDownWrite", Kind.THROTTLED),
          Map.entry("ServiceUnavailable", Kind.THROTTLED),
          Map.entry("RequestLimitExceeded", Kind.THROTTLED),
          Map.entry("InternalError", Kind.SERVER_ERROR),
          Map.entry("RequestTimeout", Kind.CONNECTION_LOST),
          Map.entry("IncompleteBody", Kind.CONNECTION_LOST),
          // The bytes were changed in transit; nothing was stored.
          Map.entry("BadDigest", Kind.CONNECTION_LOST),
          Map.entry("XAmzContentSHA256Mismatch", Kind.CONNECTION_LOST),
          Map.entry("XAmzContentChecksumMismatch", Kind.CONNECTION_LOST), // MinIO
          // Stores that keep keys as files: MinIO and versitygw.
          Map.entry("XMinioParentIsObject", Kind.PARENT_IS_OBJECT),
          Map.entry("ObjectParentIsFile", Kind.PARENT_IS_OBJECT),
          Map.entry("ExistingObjectIsDirectory", Kind.INVALID_REQUEST),
          Map.entry("KeyTooLongError", Kind.INVALID_REQUEST),
          Map.entry("XMinioInvalidObjectName", Kind.INVALID_REQUEST),
          Map.entry("XMinioInvalidResourceName", Kind.INVALID_REQUEST),
          Map.entry("InvalidObjectName", Kind.INVALID_REQUEST), // Ceph
          Map.entry("NotImplemented", Kind.UNSUPPORTED),
          Map.entry("MethodNotAllowed", Kind.UNSUPPORTED));

  /** The codes with which a store says that it has no object of such a name, ever. */
  private static final Set<String> IMPOSSIBLE_NAMES =
      Set.of(
          "KeyTooLongError",
          "XMinioInvalidObjectName",
          "XMinioInvalidResourceName",
          "InvalidObjectName");

  private static final Set<Operation> OF_ONE_PRESENT_OBJECT =
      Set.of(Operation.GET, Operation.HEAD, Operation.DELETE, Operation.DELETE_ALL);

  private static final Set<Operation> OF_ONE_UPLOAD =
      Set.of(Operation.UPLOAD_PART, Operation.LIST_PARTS, Operation.ABORT_UPLOAD);

  private ErrorCodes() {}

  /** Returns all codes that have a class of their own. */
  public static Set<String> known() {
    return KINDS.keySet();
  }

  public static Kind kindOf(Operation operation, String code, int status) {
    if (operation == Operation.COPY_PART && code.equals("InvalidRange")) {
      // The range is of the source, which must contain all of it. Stores answer differently in this
      // case.
      return Kind.INVALID_REQUEST;
    }
    if (code.equals("NoSuchKey") && OF_ONE_UPLOAD.contains(operation)) {
      return Kind.NO_SUCH_UPLOAD; // Ceph
    }
    boolean isNowhere = isOfName(code) || KINDS.get(code) == Kind.PARENT_IS_OBJECT;
    if (isNowhere && OF_ONE_PRESENT_OBJECT.contains(operation)) {
      return Kind.NO_SUCH_KEY;
    }
    if (code.contains("Throttl") || code.startsWith("TooManyRequests")) {
      // Services and proxies have many such codes, some with status 400.
      return Kind.THROTTLED;
    }
    return isUploadLost(operation, code, status)
        ? Kind.PRECONDITION_FAILED
        : plainKindOf(operation, code, status);
  }

  /** Returns true if the code says that the store can never have an object of this name. */
  static boolean isOfName(String code) {
    return IMPOSSIBLE_NAMES.contains(code);
  }

  /** Returns true if the code says that the credentials have expired. */
  static boolean isExpired(String code) {
    return KINDS.get(code) == Kind.EXPIRED_CREDENTIALS;
  }

  /**
   * Returns true if another write conflicts with a Complete. Other requests are repeated after a
   * conflict; after this one, S3 requires that the whole upload is started again.
   */
  static boolean isUploadLost(Operation operation, String code, int status) {
    return operation == Operation.COMPLETE_UPLOAD
        && plainKindOf(operation, code, status) == Kind.CONFLICT;
  }

  private static Kind plainKindOf(Operation operation, String code, int status) {
    return Optional.ofNullable(KINDS.get(code)).orElseGet(() -> kindOf(operation, status));
  }

  private static Kind kindOf(Operation operation, int status) {
    return switch (status) {
      case 401 -> Kind.BAD_CREDENTIALS;
      case 403 -> Kind.ACCESS_DENIED;
      case 404 -> missing(operation);
      case 405, 501 -> Kind.UNSUPPORTED;
      // A gateway answers so if it cannot reach the store, or got no answer from it.
      case 408, 502, 504 -> Kind.CONNECTION_LOST;
      case 409 -> Kind.CONFLICT;
      case 304, 412 -> Kind.PRECONDITION_FAILED;
      case 416 -> Kind.RANGE_NOT_SATISFIABLE;
      case 429, 503 -> Kind.THROTTLED;
      default -> otherwise(status);
    };
  }

  private static Kind otherwise(int status) {
    // An error in an answer with status 200, without a known code: the store may or may not have
    // acted.
    if (status >= 500 || status < 300) {
      return Kind.SERVER_ERROR;
    }
    return status < 400 ? Kind.WRONG_REGION : Kind.INVALID_REQUEST;
  }

  /**
   * Returns the kind for a 404 without a code, such as the answer to a HEAD: the target of the
   * request does not exist.
   */
  private static Kind missing(Operation operation) {
    return switch (operation) {
      case GET, HEAD, PUT, COPY, DELETE, COPY_PART -> Kind.NO_SUCH_KEY;
      case DELETE_ALL, LIST, CREATE_UPLOAD, LIST_UPLOADS -> Kind.NO_SUCH_BUCKET;
      case UPLOAD_PART, COMPLETE_UPLOAD, ABORT_UPLOAD, LIST_PARTS -> Kind.NO_SUCH_UPLOAD;
    };
  }

  /**
   * Returns the permission that is missing: the one that the answer names, such as one on a KMS
   * key, or what an IAM policy must grant for the request.
   */
  static String permissionFor(Operation operation, String said) {
    Matcher named = NAMED_PERMISSION.matcher(said);
    return named.find() ? named.group(1) : permissionFor(operation);
  }

  private static String permissionFor(Operation operation) {
    return switch (operation) {
      case GET, HEAD -> "s3:GetObject";
      case PUT, CREATE_UPLOAD, UPLOAD_PART, COMPLETE_UPLOAD -> "s3:PutObject";
      case COPY, COPY_PART -> "s3:GetObject and s3:PutObject";
      case DELETE, DELETE_ALL -> "s3:DeleteObject";
      case LIST -> "s3:ListBucket";
      case ABORT_UPLOAD -> "s3:AbortMultipartUpload";
      case LIST_UPLOADS -> "s3:ListBucketMultipartUploads";
      case LIST_PARTS -> "s3:ListMultipartUploadParts";
    };
  }
}
