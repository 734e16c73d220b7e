/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import io.penstock.s3model.S3Operation;
import java.util.List;

/** The kinds of requests in the logs. */
public enum Call {
  CREATE(S3Operation.CREATE_MULTIPART_UPLOAD, "POST", "op_create"),
  PART(S3Operation.UPLOAD_PART, "PUT", "op_create"),
  COMPLETE(S3Operation.COMPLETE_MULTIPART_UPLOAD, "POST", "op_create"),
  GET(S3Operation.GET_OBJECT, "GET", "op_open"),
  HEAD(S3Operation.HEAD_OBJECT, "HEAD", "op_get_file_status"),
  HEAD_BUCKET(S3Operation.HEAD_BUCKET, "HEAD", "op_initialize"),
  LIST(S3Operation.LIST_OBJECTS_V2, "GET", "op_list_status");

  public static final List<Call> WRITES = List.of(CREATE, PART, COMPLETE);
  public static final List<Call> READS = List.of(GET, HEAD, HEAD_BUCKET, LIST);

  private final S3Operation operation;
  private final String method;
  private final String fileSystemCall;

  Call(S3Operation operation, String method, String fileSystemCall) {
    this.operation = operation;
    this.method = method;
    this.fileSystemCall = fileSystemCall;
  }

  /** Returns the operation of S3. */
  public S3Operation operation() {
    return operation;
  }

  /** Returns the HTTP method. */
  public String method() {
    return method;
  }

  /** Returns the name that S3A's audit gives to the file system call behind this request. */
  public String fileSystemCall() {
    return fileSystemCall;
  }

  /** Returns true if the request writes a file. */
  public boolean isWrite() {
    return this == CREATE || this == PART || this == COMPLETE;
  }

  /** Returns the name in CloudTrail. CloudTrail logs both list operations as ListObjects. */
  public String trailName() {
    return this == LIST ? "ListObjects" : operation.apiName();
  }
}
