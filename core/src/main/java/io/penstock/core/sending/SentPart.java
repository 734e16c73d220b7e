/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.Body;
import io.penstock.core.store.Etags;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import java.io.IOException;

/** A part of an upload. If each attempt has a number of its own, no other can replace the part. */
record SentPart(PartNumbers numbers, Body body) implements Resolution<Part> {
  @Override
  public boolean isCertain(Part part) throws IOException {
    return numbers.areSpared() || part.etag().equals(Etags.ofContent(body));
  }
}
