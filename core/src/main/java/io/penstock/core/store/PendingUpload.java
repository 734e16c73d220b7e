/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.List;

/** An upload whose parts are all in the store: completing it makes the object visible at once. */
public record PendingUpload(Upload upload, List<Part> parts) {
  public PendingUpload {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("an upload needs at least one part: " + upload);
    }
  }

  public String key() {
    return upload.key();
  }

  public long sizeBytes() {
    return parts.stream().mapToLong(Part::sizeBytes).sum();
  }
}
