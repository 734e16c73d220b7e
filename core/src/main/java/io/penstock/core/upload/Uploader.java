/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;

/** Opens writers that share one store, one pool and one set of buffers. */
public final class Uploader {
  private final ObjectStore store;
  private final Lanes pool;
  private final UploadConfig config;
  private final Blocks blocks;

  public Uploader(ObjectStore store, Lanes pool, UploadConfig config) {
    this(store, pool, config, Buffers.ofProcess(config));
  }

  Uploader(ObjectStore store, Lanes pool, UploadConfig config, Buffers buffers) {
    this.store = store;
    this.pool = pool;
    this.config = config;
    this.blocks = new Blocks(config, buffers);
  }

  /** A writer whose object is visible once it is closed, if the condition holds then. */
  public ObjectWriter write(String key, Condition condition) {
    return new ObjectWriter(sender(key), blocks, config, condition);
  }

  /** A writer whose object becomes visible only when the upload it hands over is completed. */
  public PendingWriter writePending(String key) {
    return new PendingWriter(sender(key), blocks, config);
  }

  private PartSender sender(String key) {
    return new PartSender(store, key, pool.writes(store.bucket(), key), config.partsActive());
  }
}
