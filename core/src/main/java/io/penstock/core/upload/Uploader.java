/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens writers that share one store, one pool and one set of buffers. */
public final class Uploader {
  private final ObjectStore store;
  private final Lanes pool;
  private final UploadConfig config;
  private final Blocks blocks;
  private final Supplier<Optional<String>> writeIds;

  /**
   * Opens writers whose objects have no write ids but those that the store gives them.
   *
   * @param room shared with the other uploads of the process
   */
  public Uploader(ObjectStore store, Lanes pool, UploadConfig config, UploadRoom room) {
    this(store, pool, config, room.buffers(config), Optional::empty);
  }

  /**
   * @param room shared with the other uploads of the process
   * @param writeIds gives an id that no other object has
   */
  public Uploader(
      ObjectStore store,
      Lanes pool,
      UploadConfig config,
      UploadRoom room,
      Supplier<String> writeIds) {
    this(store, pool, config, room.buffers(config), () -> Optional.of(writeIds.get()));
  }

  Uploader(ObjectStore store, Lanes pool, UploadConfig config, Buffers buffers) {
    this(store, pool, config, buffers, Optional::empty);
  }

  private Uploader(
      ObjectStore store,
      Lanes pool,
      UploadConfig config,
      Buffers buffers,
      Supplier<Optional<String>> writeIds) {
    this.store = store;
    this.pool = pool;
    this.config = config;
    this.blocks = new Blocks(config, buffers);
    this.writeIds = writeIds;
  }

  /** A writer whose object is visible once it is closed, if the condition holds then. */
  public ObjectWriter write(String key, Condition condition) {
    return new ObjectWriter(sender(key, writeIds.get()), blocks, config, condition);
  }

  /**
   * A writer whose object becomes visible only when the upload it hands over is completed.
   *
   * @param writeId by which whoever completes it knows the object: of two uploads of the key with
   *     one write id, one is completed at most
   */
  public PendingWriter writePending(String key, String writeId) {
    return new PendingWriter(sender(key, Optional.of(writeId)), blocks, config);
  }

  private PartSender sender(String key, Optional<String> writeId) {
    return new PartSender(
        store, key, pool.writes(store.bucket(), key), config.partsActive(), writeId);
  }
}
