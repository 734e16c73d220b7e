/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.report;

import io.penstock.core.store.Operation;

/**
 * The kinds of traffic. S3 limits them separately: each partition has one limit for reads and one
 * for writes.
 */
public enum Traffic {
  READ(5_500),
  WRITE(3_500);

  private final double documentedLimit;

  Traffic(double documentedLimit) {
    this.documentedLimit = documentedLimit;
  }

  /**
   * Returns the requests a second that Amazon documents for a partition that has been used for a
   * while.
   */
  public double documentedLimit() {
    return documentedLimit;
  }

  /**
   * Returns the kind of traffic of the operation. Listings are reads; all operations that change
   * the bucket are writes, including aborts and copies.
   */
  public static Traffic of(Operation operation) {
    return switch (operation) {
      case GET, HEAD, LIST, LIST_UPLOADS, LIST_PARTS -> READ;
      case PUT,
          COPY,
          DELETE,
          DELETE_ALL,
          CREATE_UPLOAD,
          UPLOAD_PART,
          COPY_PART,
          COMPLETE_UPLOAD,
          ABORT_UPLOAD ->
          WRITE;
    };
  }
}
