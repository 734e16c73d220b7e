/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import java.util.List;

/**
 * The sources that s3_requests was made of.
 *
 * @param repeated records that stood in the logs more than once, and are counted once
 * @param left what was left out because another log tells of the same requests
 */
public record Choice(long repeated, List<Left> left) {
  /** The requests of one bucket in one sort of log. */
  public record Left(String bucket, String source, long requests, String insteadOf) {}

  public Choice {
    left = List.copyOf(left);
  }
}
