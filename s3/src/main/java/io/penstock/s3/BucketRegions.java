/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.Recent;

/** The regions that were found, so that opening a bucket again costs no refusal. */
final class BucketRegions {
  /** More buckets than a process uses at a time; the next costs one more refusal. */
  private static final int MOST = 10_000;

  private final Recent<String, String> found = new Recent<>(MOST);

  /** Returns the region as far as the user or an earlier answer has told it. */
  String of(String bucket, S3Options options) {
    return options
        .region()
        .or(() -> found.get(name(bucket, options)))
        .orElse(options.firstRegion());
  }

  void remember(String bucket, S3Options options, String region) {
    found.put(name(bucket, options), region);
  }

  private static String name(String bucket, S3Options options) {
    return options.endpoint().shown() + " " + bucket;
  }
}
