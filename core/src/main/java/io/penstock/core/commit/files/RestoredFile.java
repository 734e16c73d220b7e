/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import java.util.List;
import java.util.Objects;

/**
 * A deleted object of a bucket with versions, which a commit makes visible again by removing the
 * delete markers that stand before it. No byte is copied.
 *
 * @param sizeBytes of the version that becomes visible
 * @param etag of this version
 * @param markers ids of the delete markers that are newer than this version, at least one
 */
public record RestoredFile(
    String bucket, String key, long sizeBytes, String etag, List<String> markers)
    implements TaskFile {
  public RestoredFile {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(etag, "etag");
    markers = List.copyOf(markers);
    if (sizeBytes < 0 || markers.isEmpty()) {
      throw new IllegalArgumentException(key + " has a negative size, or no delete marker");
    }
  }
}
