/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The calls of S3, each with one name for all logs. */
public enum S3Api {
  PUT_OBJECT("PutObject", Kind.WRITE, "REST.PUT.OBJECT"),
  POST_OBJECT("PostObject", Kind.WRITE, "REST.POST.OBJECT"),
  COPY_OBJECT("CopyObject", Kind.WRITE, "REST.COPY.OBJECT"),
  CREATE_UPLOAD("CreateMultipartUpload", Kind.WRITE, "REST.POST.UPLOADS"),
  UPLOAD_PART("UploadPart", Kind.WRITE, "REST.PUT.PART"),
  UPLOAD_PART_COPY("UploadPartCopy", Kind.WRITE, "REST.COPY.PART"),
  COMPLETE_UPLOAD("CompleteMultipartUpload", Kind.WRITE, "REST.POST.UPLOAD"),
  ABORT_UPLOAD("AbortMultipartUpload", Kind.DELETE, "REST.DELETE.UPLOAD"),
  DELETE_OBJECT("DeleteObject", Kind.DELETE, "REST.DELETE.OBJECT"),
  DELETE_OBJECTS("DeleteObjects", Kind.DELETE, "REST.POST.MULTI_OBJECT_DELETE"),
  GET_OBJECT("GetObject", Kind.READ, "REST.GET.OBJECT"),
  HEAD_OBJECT("HeadObject", Kind.READ, "REST.HEAD.OBJECT"),
  HEAD_BUCKET("HeadBucket", Kind.READ, "REST.HEAD.BUCKET"),
  LIST_OBJECTS("ListObjects", Kind.LIST, "REST.GET.BUCKET"),
  LIST_UPLOADS("ListMultipartUploads", Kind.LIST, "REST.GET.UPLOADS"),
  LIST_PARTS("ListParts", Kind.LIST, "REST.GET.UPLOAD"),
  /**
   * A wait for a permit of Penstock's own rate control, from its request log. It is not a request.
   */
  WAIT("Wait", Kind.NONE, "-");

  /** The classes of calls that S3 counts and bills. */
  public enum Kind {
    WRITE("W"),
    READ("R"),
    LIST("L"),
    DELETE("D"),
    NONE("-");

    @SuppressWarnings("ImmutableEnumChecker") // shared by all rows, and written by none
    private final byte[] letter;

    Kind(String letter) {
      this.letter = letter.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] letter() {
      return letter;
    }
  }

  private static final Map<String, S3Api> BY_NAME = new HashMap<>();
  private static final Map<String, S3Api> BY_LOG_NAME = new HashMap<>();

  static {
    for (S3Api api : values()) {
      BY_NAME.put(api.apiName, api);
      BY_LOG_NAME.put(api.logName, api);
    }
    BY_NAME.put("ListObjectsV2", LIST_OBJECTS);
    BY_NAME.put("ListObjectVersions", LIST_OBJECTS);
    BY_LOG_NAME.put("REST.GET.BUCKETVERSIONS", LIST_OBJECTS);
  }

  private final String apiName;
  private final String logName;
  private final Kind kind;

  @SuppressWarnings("ImmutableEnumChecker") // shared by all rows, and written by none
  private final byte[] bytes;

  private final long hash;

  S3Api(String apiName, Kind kind, String logName) {
    this.apiName = apiName;
    this.kind = kind;
    this.logName = logName;
    this.bytes = apiName.getBytes(StandardCharsets.US_ASCII);
    this.hash = Hash64.of(bytes, 0, bytes.length);
  }

  /** Returns the hash of the API name. */
  long hash() {
    return hash;
  }

  public String apiName() {
    return apiName;
  }

  /** Returns the name in a server access log, such as {@code REST.PUT.PART}. */
  public String logName() {
    return logName;
  }

  public Kind kind() {
    return kind;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the call with this API name, which CloudTrail uses. */
  public static Optional<S3Api> named(String apiName) {
    return Optional.ofNullable(BY_NAME.get(apiName));
  }

  /**
   * Returns the call with this operation name of a server access log, such as {@code
   * REST.PUT.PART}.
   */
  public static Optional<S3Api> ofLog(String operation) {
    return Optional.ofNullable(BY_LOG_NAME.get(operation));
  }
}
