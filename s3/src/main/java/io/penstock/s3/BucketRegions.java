/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.LruCache;
import io.penstock.s3.settings.S3Options;

/**
 * Remembers the regions of buckets, so that no request is refused when a bucket is opened again.
 */
public final class BucketRegions {
  /**
   * More buckets than a process uses at a time. A bucket beyond this limit costs one more refusal.
   */
  private static final int MOST = 10_000;

  private final LruCache<String, String> found = new LruCache<>(MOST);

  /**
   * Returns the region that the user has set or an earlier answer has named; otherwise the first
   * region to try.
   */
  public String of(String bucket, S3Options options) {
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
