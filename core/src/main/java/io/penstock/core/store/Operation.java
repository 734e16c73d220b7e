/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/** The kinds of requests of an {@link ObjectStore}, one for each S3 API call. */
public enum Operation {
  GET,
  HEAD,
  PUT,
  COPY,
  DELETE,
  DELETE_ALL,
  LIST,
  CREATE_UPLOAD,
  UPLOAD_PART,
  COPY_PART,
  COMPLETE_UPLOAD,
  ABORT_UPLOAD,
  LIST_UPLOADS,
  LIST_PARTS
}
