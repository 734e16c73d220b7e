/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Aborts uploads whose job has ended. Failures are only logged: the job's outcome is decided. */
final class OrphanUploads {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanUploads.class);

  private OrphanUploads() {}

  /** Runs a step later, when a request that was cut can no longer reach the store. */
  @FunctionalInterface
  interface Later {
    void run(Runnable step);
  }

  static void inTenSeconds(Runnable step) {
    CompletableFuture.delayedExecutor(
            10,
            TimeUnit.SECONDS,
            run -> {
              Thread thread = new Thread(run, "penstock-leftovers");
              thread.setDaemon(true);
              thread.start();
            })
        .execute(step);
  }

  static void abort(ObjectStore store, Upload upload) {
    try {
      store.abortUpload(upload);
    } catch (IOException e) {
      warn(store, upload.key(), e);
    }
  }

  /** Aborts all uploads of exactly this key. */
  static void abortAt(ObjectStore store, String key) {
    try {
      Keys.uploads(store, key).stream()
          .map(UploadsPage.Listed::upload)
          .filter(upload -> upload.key().equals(key))
          .forEach(upload -> abort(store, upload));
    } catch (IOException e) {
      warn(store, key, e);
    }
  }

  private static void warn(ObjectStore store, String key, IOException failure) {
    LOG.warn(
        "s3://{}/{}: an upload of an ended job may remain until a lifecycle rule for incomplete"
            + " uploads removes it: {}",
        store.bucket(),
        key,
        failure.getMessage());
  }
}
