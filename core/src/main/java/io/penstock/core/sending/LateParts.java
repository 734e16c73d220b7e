/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds parts that a late attempt has replaced. An attempt to send a part may reach the store after
 * the part was sent again, and then replaces the part of the second attempt. Both have the same
 * content. However, if the store encrypts with a KMS or customer key, the ETags differ, and the
 * upload cannot be completed with the ETag of the second attempt.
 */
final class LateParts {
  private static final Logger LOG = LoggerFactory.getLogger(LateParts.class);

  private LateParts() {}

  /**
   * Returns the upload with the current ETags of its parts. Returns empty when a completion with
   * them would not help.
   *
   * @param store lists the parts, with retries
   * @param failure the failure of the completion; further failures are added to it as suppressed
   */
  static Optional<PendingUpload> of(
      ObjectStore store, PendingUpload pending, StoreException failure) {
    Map<Integer, Part> found = new HashMap<>();
    try {
      Keys.parts(store, pending.upload()).forEach(part -> found.put(part.number(), part));
    } catch (IOException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
    List<Part> now = new ArrayList<>();
    for (Part told : pending.parts()) {
      Part there = found.get(told.number());
      if (there == null || there.sizeBytes() != told.sizeBytes()) {
        return Optional.empty();
      }
      now.add(there);
    }
    if (now.equals(pending.parts())) {
      return Optional.empty();
    }
    LOG.info(
        "{}: a part arrived twice; the upload is completed with the copy that the store lists",
        pending.key());
    return Optional.of(new PendingUpload(pending.upload(), now, pending.writeId()));
  }
}
