/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of a commit. A retried request counts once. Safe for use by many threads. */
final class CountedStores implements Stores {
  private final Stores stores;
  private final LongAdder requests = new LongAdder();

  CountedStores(Stores stores) {
    this.stores = stores;
  }

  @Override
  public ObjectStore of(String bucket) throws IOException {
    return new StoreWrapper(stores.of(bucket)) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        requests.increment();
        return call.run();
      }
    };
  }

  /**
   * Returns the number of requests that the job's files and its commit have taken. The request that
   * writes this number is included.
   */
  long requests(Intent intent) {
    long creationsAndParts = intent.files().stream().mapToLong(CountedStores::earlier).sum();
    return creationsAndParts + requests.sum() + 1;
  }

  /** Returns the number of requests for the file before the commit. */
  private static long earlier(TaskFile file) {
    return file instanceof TaskUpload upload ? 1 + upload.pending().parts().size() : 0;
  }
}
