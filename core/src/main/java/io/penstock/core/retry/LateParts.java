/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt to send a part may arrive after it was repeated, and take the place of the second one.
 * It has the same content, but encrypted with a key of KMS or of the customer another ETag, and the
 * upload cannot be completed with the one that was told.
 */
final class LateParts {
  private static final Logger LOG = LoggerFactory.getLogger(LateParts.class);

  private LateParts() {}

  /**
   * Returns the upload with the ETags that its parts have now; empty when that would not help.
   *
   * @param store asked with retries
   * @param failure of the completion, which receives what goes wrong here
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
    LOG.info("{}: a part arrived a second time; it is completed with that", pending.key());
    return Optional.of(new PendingUpload(pending.upload(), now, pending.writeId()));
  }
}
