/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * ETags that tell nothing of the content, as with keys of KMS: each part and object has a new one.
 */
public final class EncryptingStore extends StoreWrapper {
  private record Place(Upload upload, int number) {}

  private final Map<Place, Part> shown = new HashMap<>();
  private final Map<Place, Part> real = new HashMap<>();
  private final Map<String, String> etags = new HashMap<>();
  private long next = 1;

  public EncryptingStore(ObjectStore inner) {
    super(inner);
  }

  private String newEtag() {
    return "%032x".formatted(next++);
  }

  @Override
  public synchronized Part uploadPart(Upload upload, PartNumbers numbers, Body body)
      throws IOException {
    int number = numbers.first();
    Place place = new Place(upload, number);
    real.put(place, inner.uploadPart(upload, number, body));
    Part part = new Part(number, newEtag(), body.sizeBytes());
    shown.put(place, part);
    return part;
  }

  @Override
  public synchronized String completeUpload(PendingUpload pending, Condition condition)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Part part : pending.parts()) {
      Place place = new Place(pending.upload(), part.number());
      if (shown.containsKey(place) && !part.equals(shown.get(place))) {
        throw StoreException.of(
            Kind.INVALID_REQUEST, Operation.COMPLETE_UPLOAD, pending.key(), "InvalidPart (400).");
      }
      parts.add(real.getOrDefault(place, part));
    }
    inner.completeUpload(new PendingUpload(pending.upload(), parts), condition);
    String etag = newEtag() + "-" + parts.size();
    etags.put(pending.key(), etag);
    return etag;
  }

  @Override
  public synchronized PartsPage listParts(Upload upload, Optional<String> token)
      throws IOException {
    PartsPage page = inner.listParts(upload, token);
    return new PartsPage(
        page.parts().stream().map(part -> shown.get(new Place(upload, part.number()))).toList(),
        page.nextToken());
  }

  @Override
  public synchronized ObjectMeta head(String key) throws IOException {
    ObjectMeta found = inner.head(key);
    String etag = etags.getOrDefault(key, found.etag());
    return new ObjectMeta(
        key, found.sizeBytes(), etag, found.lastModified(), found.writeId(), found.user());
  }
}
