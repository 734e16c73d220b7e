/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.versions;

import java.time.Instant;

/**
 * One version of an object, or a delete marker: the version that a deletion leaves in a bucket with
 * versions, and under which the object does not exist.
 *
 * @param versionId {@link #NULL} if it was written while the bucket kept no versions
 * @param isMarker whether it is a delete marker
 * @param isLatest whether it is what a request without a version id finds
 * @param sizeBytes 0 for a marker
 * @param etag as in {@link io.penstock.core.store.ObjectMeta}; empty for a marker
 * @param lastModified by the store's clock
 * @param isArchived whether it is in a storage class from which it must be fetched back before it
 *     can be read
 */
public record ObjectVersion(
    String key,
    String versionId,
    boolean isMarker,
    boolean isLatest,
    long sizeBytes,
    String etag,
    Instant lastModified,
    boolean isArchived) {
  /** The id of a version that the next write to the key replaces, unless versions are kept then. */
  public static final String NULL = "null";
}
