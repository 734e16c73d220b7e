/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import io.penstock.s3model.S3Api;
import java.util.List;

/** The requests that the logs are made of. */
enum Call {
  CREATE(S3Api.CREATE_MULTIPART_UPLOAD, "POST", "op_create"),
  PART(S3Api.UPLOAD_PART, "PUT", "op_create"),
  COMPLETE(S3Api.COMPLETE_MULTIPART_UPLOAD, "POST", "op_create"),
  GET(S3Api.GET_OBJECT, "GET", "op_open"),
  HEAD(S3Api.HEAD_OBJECT, "HEAD", "op_get_file_status"),
  HEAD_BUCKET(S3Api.HEAD_BUCKET, "HEAD", "op_initialize"),
  LIST(S3Api.LIST_OBJECTS_V2, "GET", "op_list_status");

  static final List<Call> WRITES = List.of(CREATE, PART, COMPLETE);
  static final List<Call> READS = List.of(GET, HEAD, HEAD_BUCKET, LIST);

  private final S3Api api;
  private final String method;
  private final String fileSystemCall;

  Call(S3Api api, String method, String fileSystemCall) {
    this.api = api;
    this.method = method;
    this.fileSystemCall = fileSystemCall;
  }

  S3Api api() {
    return api;
  }

  String method() {
    return method;
  }

  /** Returns it as S3A's audit names what the caller asked of the file system. */
  String fileSystemCall() {
    return fileSystemCall;
  }

  boolean isWrite() {
    return this == CREATE || this == PART || this == COMPLETE;
  }

  /** CloudTrail has no second list operation: it logs both as the first. */
  String trailName() {
    return this == LIST ? "ListObjects" : api.apiName();
  }
}
