/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

/**
 * Thrown inside the SDK when a successful answer is none of an S3 store. It is translated after it
 * leaves the SDK.
 */
public final class NotS3Exception extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param problem what came instead, as the end of a sentence
   */
  public NotS3Exception(String problem) {
    super(problem);
  }
}
