/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import io.penstock.core.store.ObjectStore;
import java.util.List;
import java.util.Optional;

/**
 * An upload whose parts are all in the store. Its completion makes the object visible at once.
 *
 * @param parts at least one, with rising numbers; no part throws an IllegalArgumentException
 * @param writeId the write id that the object will carry, if it is known; see {@link
 *     ObjectStore#createUpload}
 */
public record PendingUpload(Upload upload, List<Part> parts, Optional<String> writeId) {
  public PendingUpload {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("an upload needs at least one part: " + upload);
    }
  }

  public PendingUpload(Upload upload, List<Part> parts) {
    this(upload, parts, Optional.empty());
  }

  /** Returns the same upload with another write id. */
  public PendingUpload withWriteId(String other) {
    return new PendingUpload(upload, parts, Optional.of(other));
  }

  public String key() {
    return upload.key();
  }

  public long sizeBytes() {
    return parts.stream().mapToLong(Part::sizeBytes).sum();
  }
}
