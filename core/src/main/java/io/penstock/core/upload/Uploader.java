/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.meta.UserMetadata;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Opens writers that share one store, one pool and one set of buffers. */
public final class Uploader {
  private final ObjectStore store;
  private final Lanes pool;
  private final UploadConfig config;
  private final Blocks blocks;
  private final Supplier<Optional<String>> writeIds;
  private final BooleanSupplier gainsByMore;

  /**
   * Creates an uploader whose objects have no write ids except those that the store assigns.
   *
   * @param room the memory and disk that all uploads of the process share
   */
  public Uploader(ObjectStore store, Lanes pool, UploadConfig config, UploadRoom room) {
    this(store, pool, config, room.buffers(config));
  }

  /**
   * @param room the memory and disk that all uploads of the process share
   * @param writeIds supplies an id that no other object has
   * @param gainsByMore tells whether the store takes more bytes a second if more parts are sent at
   *     once than now
   */
  public Uploader(
      ObjectStore store,
      Lanes pool,
      UploadConfig config,
      UploadRoom room,
      Supplier<String> writeIds,
      BooleanSupplier gainsByMore) {
    this(store, pool, config, room.buffers(config), () -> Optional.of(writeIds.get()), gainsByMore);
  }

  Uploader(ObjectStore store, Lanes pool, UploadConfig config, Buffers buffers) {
    this(store, pool, config, buffers, Optional::empty, () -> true);
  }

  private Uploader(
      ObjectStore store,
      Lanes pool,
      UploadConfig config,
      Buffers buffers,
      Supplier<Optional<String>> writeIds,
      BooleanSupplier gainsByMore) {
    this.store = store;
    this.pool = pool;
    this.config = config;
    this.blocks = new Blocks(config, buffers);
    this.writeIds = writeIds;
    this.gainsByMore = gainsByMore;
  }

  /**
   * Returns a writer whose object becomes visible at its close, if the condition then holds. Makes
   * no request. The caller closes or aborts the writer, which may hold memory and a file.
   */
  public ObjectWriter write(String key, Condition condition) {
    return write(key, condition, UserMetadata.NONE);
  }

  /** Does the same as {@link #write(String, Condition)} for an object with this metadata. */
  public ObjectWriter write(String key, Condition condition, UserMetadata user) {
    return new ObjectWriter(sender(key, writeIds.get(), user), blocks, config, condition);
  }

  /**
   * Returns a writer that adds to an object. Its close replaces the object by the whole, on
   * condition that it is still this one; if nothing was written, the close changes nothing. An
   * object under 5 MiB is read now; a larger one is copied now, by the store itself, but for what
   * fills no part where all parts must have one size.
   *
   * @param old the object, with a strong ETag; the writer has its key and its metadata
   * @throws io.penstock.core.store.StoreException PRECONDITION_FAILED when it is not this one any
   *     more
   */
  public ObjectWriter append(ObjectMeta old) throws IOException {
    ObjectWriter writer = write(old.key(), Condition.ifMatch(old.etag()), old.user().sendable());
    try {
      writer.beginWith(old, store);
    } catch (IOException | RuntimeException | Error e) {
      writer.abort();
      throw e;
    }
    return writer;
  }

  /** Returns a writer that uploads its object whatever its size. */
  public PendingWriter writePending(String key, String writeId) {
    return writePending(key, writeId, InlineBudget.none());
  }

  /**
   * Returns a writer whose object becomes visible only when the writer's pending upload is
   * completed, or its content is put by the job. Makes no request. The caller closes or aborts the
   * writer, which may hold memory and a file.
   *
   * @param writeId identifies the object for the process that completes its upload; of two uploads
   *     of the key with the same write id, at most one is completed
   * @param budget the room for content in the message of the writer's task
   */
  public PendingWriter writePending(String key, String writeId, InlineBudget budget) {
    return new PendingWriter(
        sender(key, Optional.of(writeId), UserMetadata.NONE),
        blocks,
        config,
        budget,
        blocks.buffers());
  }

  private PartSender sender(String key, Optional<String> writeId, UserMetadata user) {
    return new PartSender(
        store,
        key,
        pool.writes(store.bucket(), key),
        blocks.buffers().room().permits(config, gainsByMore),
        writeId,
        user);
  }
}
