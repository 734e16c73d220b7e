/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import java.io.IOException;

/**
 * Sends one attempt of a request and returns its answer. It may be called several times, and by
 * several threads at once if the request may be doubled.
 */
@FunctionalInterface
public interface Exchange<T> {
  /**
   * Sends the attempt, and blocks until the whole answer has arrived.
   *
   * @param context this attempt's; what is sent must be read through {@link Context#body}
   * @throws io.penstock.core.store.StoreException when the store refuses, or does not answer
   * @throws IOException of another type for a failure that is no answer, and is not repeated
   */
  T send(Context context) throws IOException;
}
