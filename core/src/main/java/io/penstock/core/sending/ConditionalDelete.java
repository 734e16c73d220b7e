/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;

/**
 * A DELETE. A failed condition counts as success if an earlier attempt may have deleted the object
 * and the object is gone.
 */
record ConditionalDelete(LostAnswers lostAnswers, String key) implements Resolution<Void> {
  @Override
  public Void afterLostAnswer(StoreException failure) throws IOException {
    if (failure.kind() == Kind.PRECONDITION_FAILED && lostAnswers.isGone(failure, key)) {
      return null;
    }
    throw failure;
  }
}
