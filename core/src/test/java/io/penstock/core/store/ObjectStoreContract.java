/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/**
 * The behaviour of every {@link ObjectStore}, which every wrapper leaves as it is. A store that
 * differs overrides that one test and says why.
 */
public abstract class ObjectStoreContract
    implements ReadContract, WriteContract, ConditionContract, ListingContract, UploadContract {
  protected ObjectStore store;
  protected String prefix;

  /** A store over an existing bucket, which other tests may be using under other prefixes. */
  protected abstract ObjectStore openStore() throws Exception;

  @Override
  public final ObjectStore store() {
    return store;
  }

  @Override
  public final String prefix() {
    return prefix;
  }

  @BeforeEach
  void openTheStore(TestInfo test) throws Exception {
    store = openStore();
    prefix = "contract/" + test.getTestMethod().orElseThrow().getName() + "/";
    deleteEverything();
  }

  @AfterEach
  void closeTheStore() throws Exception {
    deleteEverything();
    store.close();
  }

  private void deleteEverything() throws IOException {
    for (String key : keysUnder("")) {
      store.delete(prefix + key);
    }
  }
}
