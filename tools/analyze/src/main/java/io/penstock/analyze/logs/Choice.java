/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import java.util.List;

/**
 * The decisions about which records of the logs are in s3_requests.
 *
 * @param repeated the number of records that the logs contain more than once; each is counted once
 * @param left the requests left out because another log contains the same requests
 */
public record Choice(long repeated, List<Left> left) {
  /** The requests of one bucket that were left out of one source. */
  public record Left(String bucket, String source, long requests, String insteadOf) {}

  public Choice {
    left = List.copyOf(left);
  }
}
