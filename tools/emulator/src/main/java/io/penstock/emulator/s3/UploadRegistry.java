/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.parts.Part;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Records the parts of the uploads in progress, because the store interface cannot list them. */
final class UploadRegistry {
  private final Map<String, NavigableMap<Integer, Entry>> uploads = new ConcurrentHashMap<>();

  /** A part and the time at which it was stored. */
  record Entry(Part part, Instant stored) {}

  void created(String uploadId) {
    uploads.put(uploadId, new ConcurrentSkipListMap<>());
  }

  void stored(String uploadId, Part part, Instant when) {
    parts(uploadId).ifPresent(parts -> parts.put(part.number(), new Entry(part, when)));
  }

  void ended(String uploadId) {
    uploads.remove(uploadId);
  }

  /** Returns the parts by number, or empty when the upload is not known here. */
  Optional<NavigableMap<Integer, Entry>> parts(String uploadId) {
    return Optional.ofNullable(uploads.get(uploadId));
  }
}
