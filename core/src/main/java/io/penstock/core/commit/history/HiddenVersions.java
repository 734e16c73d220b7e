/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A store in which the objects of intents exist as they were before they were deleted. */
final class HiddenVersions extends StoreWrapper {
  private final Map<String, String> versions;

  /**
   * @param versions ids of the versions to read, by their keys
   */
  HiddenVersions(ObjectStore inner, Map<String, String> versions) {
    super(inner);
    this.versions = versions;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    String version = versions.get(key);
    if (version == null) {
      throw StoreException.of(
          Kind.NO_SUCH_KEY,
          Operation.GET,
          "s3://" + bucket() + "/" + key,
          "no version of it is left.");
    }
    return inner.getVersion(key, version, range);
  }
}
