/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.meta.UserMetadata;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The metadata of one object.
 *
 * @param etag as the store sends it, without the quotes; opaque; two objects with equal ETags have
 *     equal content. {@link Etags#ofTime} if the store sent none
 * @param lastModified by the store's clock; from HEAD and GET often in whole seconds; the epoch if
 *     the store sent no time
 * @param writeId the write id of the conditional PUT or of the upload that wrote the object; a copy
 *     has the write id of its source; empty in a listing
 * @param user what its writer has said of it; empty in a listing
 */
public record ObjectMeta(
    String key,
    long sizeBytes,
    String etag,
    Instant lastModified,
    Optional<String> writeId,
    UserMetadata user) {
  public ObjectMeta(String key, long sizeBytes, String etag, Instant lastModified) {
    this(key, sizeBytes, etag, lastModified, Optional.empty(), UserMetadata.NONE);
  }

  public ObjectMeta {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(etag, "etag");
    Objects.requireNonNull(lastModified, "lastModified");
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size of " + key + " must not be negative: " + sizeBytes);
    }
  }

  /** Returns true if this is the version with that ETag, compared weakly. */
  public boolean isVersion(String other) {
    return Etags.isOfTime(other)
        ? Etags.ofTime(lastModified, sizeBytes).equals(other)
        : Etags.match(etag, other);
  }
}
