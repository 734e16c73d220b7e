/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.store.StoreException;
import java.util.List;
import java.util.Map;

/**
 * The resolution of a request of which a part can fail while the store answers with success. Such a
 * request is never doubled.
 */
public interface Partial<T> extends Resolution<T> {
  /** Returns the parts that failed; empty if the whole request succeeded. */
  Map<String, StoreException> failures(T answer);

  /** Returns the request for these parts only. From now on the exchange sends only these. */
  Request<T> rest(List<String> keys);

  /** Returns the answer to the whole request, of which these parts failed for good. */
  T whole(Map<String, StoreException> failed);
}
