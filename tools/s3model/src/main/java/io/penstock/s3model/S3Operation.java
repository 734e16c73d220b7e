/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3model;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The operations of S3's API as a server distinguishes them. Each has its API name and its name in
 * server access logs.
 */
public enum S3Operation {
  LIST_BUCKETS("ListBuckets", "REST.GET.SERVICE"),
  CREATE_BUCKET("CreateBucket", "REST.PUT.BUCKET"),
  HEAD_BUCKET("HeadBucket", "REST.HEAD.BUCKET"),
  DELETE_BUCKET("DeleteBucket", "REST.DELETE.BUCKET"),
  GET_BUCKET_VERSIONING("GetBucketVersioning", "REST.GET.VERSIONING"),
  PUT_BUCKET_VERSIONING("PutBucketVersioning", "REST.PUT.VERSIONING"),
  GET_BUCKET_LOCATION("GetBucketLocation", "REST.GET.LOCATION"),
  LIST_OBJECTS("ListObjects", "REST.GET.BUCKET"),
  LIST_OBJECTS_V2("ListObjectsV2", "REST.GET.BUCKET"),
  LIST_OBJECT_VERSIONS("ListObjectVersions", "REST.GET.BUCKETVERSIONS"),
  LIST_MULTIPART_UPLOADS("ListMultipartUploads", "REST.GET.UPLOADS"),
  DELETE_OBJECTS("DeleteObjects", "REST.POST.MULTI_OBJECT_DELETE"),
  GET_OBJECT("GetObject", "REST.GET.OBJECT"),
  HEAD_OBJECT("HeadObject", "REST.HEAD.OBJECT"),
  PUT_OBJECT("PutObject", "REST.PUT.OBJECT"),
  COPY_OBJECT("CopyObject", "REST.COPY.OBJECT"),
  DELETE_OBJECT("DeleteObject", "REST.DELETE.OBJECT"),
  CREATE_MULTIPART_UPLOAD("CreateMultipartUpload", "REST.POST.UPLOADS"),
  UPLOAD_PART("UploadPart", "REST.PUT.PART"),
  UPLOAD_PART_COPY("UploadPartCopy", "REST.COPY.PART"),
  COMPLETE_MULTIPART_UPLOAD("CompleteMultipartUpload", "REST.POST.UPLOAD"),
  ABORT_MULTIPART_UPLOAD("AbortMultipartUpload", "REST.DELETE.UPLOAD"),
  LIST_PARTS("ListParts", "REST.GET.UPLOAD"),
  /** Any other operation, whether S3 supports it or not. */
  OTHER("Other", "REST.OTHER.OTHER");

  private final String apiName;
  private final String logName;

  S3Operation(String apiName, String logName) {
    this.apiName = apiName;
    this.logName = logName;
  }

  /**
   * Returns the operation with a name such as {@code UploadPart}.
   *
   * @throws IllegalArgumentException when there is no such operation; the message lists all names
   */
  public static S3Operation named(String name) {
    for (S3Operation operation : values()) {
      if (operation.apiName.equals(name)) {
        return operation;
      }
    }
    String known =
        Arrays.stream(values()).map(S3Operation::apiName).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "'%s' is not an operation; known are %s".formatted(name, known));
  }

  /** Returns the API name, such as {@code UploadPart}. */
  public String apiName() {
    return apiName;
  }

  /** Returns the name in access logs, such as {@code REST.PUT.PART}. */
  public String logName() {
    return logName;
  }

  /**
   * Returns true if S3 counts this operation as a read (5,500 per second and partition), not as a
   * write (3,500).
   */
  public boolean isRead() {
    return logName.startsWith("REST.GET.") || logName.startsWith("REST.HEAD.");
  }
}
