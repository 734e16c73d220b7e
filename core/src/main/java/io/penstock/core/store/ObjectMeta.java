/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The facts that a store has of one object.
 *
 * @param etag as the store sends it, without the quotes; opaque, equal only for equal content
 * @param writeId of the conditional PUT that wrote it, or that wrote what it is a copy of; a
 *     listing does not tell it
 */
public record ObjectMeta(
    String key, long sizeBytes, String etag, Instant lastModified, Optional<String> writeId) {
  public ObjectMeta(String key, long sizeBytes, String etag, Instant lastModified) {
    this(key, sizeBytes, etag, lastModified, Optional.empty());
  }

  public ObjectMeta {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(etag, "etag");
    Objects.requireNonNull(lastModified, "lastModified");
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size of " + key + " must not be negative: " + sizeBytes);
    }
  }
}
