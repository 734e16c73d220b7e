/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.Body;
import io.penstock.core.store.Etags;
import java.io.IOException;

/** A PUT without a condition: whichever attempt comes last, the store has the same bytes. */
record PlainPut(Body body) implements Resolution<String> {
  @Override
  public boolean isCertain(String etag) throws IOException {
    return etag.equals(Etags.ofContent(body));
  }
}
