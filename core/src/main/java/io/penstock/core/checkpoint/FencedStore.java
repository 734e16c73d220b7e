/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.chance.WriteIds;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The store through which one run of a query writes its checkpoint. Every object names its writer.
 * A write that must not replace anything fails with the name of the writer that was there first. A
 * write that may replace an object replaces it only if this run or an earlier one wrote it, never
 * if a later run did. Such a write takes one request if there is no object, and three if there is
 * one. A run without a claim cannot tell earlier runs from later ones, and replaces any object.
 *
 * <p>A write that is refused fails with {@code PRECONDITION_FAILED} or {@code CONFLICT}, and its
 * message names the writer if it is known. Nothing is protected on a store that ignores conditions;
 * callers check {@link ObjectStore#supportsConditionalWrites} first.
 */
public final class FencedStore extends StoreWrapper {
  /** More tries mean that another program writes the same file all the time. */
  private static final int REPLACE_TRIES_MAX = 10;

  private final Supplier<Writer> writer;
  private final WriteIds writeIds;

  /**
   * @param inner retries, and sends the given write id with all attempts of a write
   * @param writer asked at each write, since a run may claim the checkpoint after opening it
   */
  public FencedStore(ObjectStore inner, Supplier<Writer> writer, SplittableRandom chance) {
    super(inner);
    this.writer = writer;
    this.writeIds = new WriteIds(chance);
  }

  /** A write that can be sent under different conditions. */
  @FunctionalInterface
  private interface Write {
    String under(Condition condition) throws IOException;
  }

  /** Returns a write id for an upload. The id names the writer. */
  public String newWriteId() {
    return newWriteId(writer.get());
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    return write(key, condition, required -> inner.put(key, body, required));
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    return inner.createUpload(key, Optional.of(writeId.orElseGet(this::newWriteId)), user);
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    return write(pending.key(), condition, required -> inner.completeUpload(pending, required));
  }

  private String write(String key, Condition condition, Write write) throws IOException {
    Writer own = writer.get();
    if (condition.equals(Condition.NONE)) {
      return own.hasClaimed() ? replace(key, own, write) : write.under(Condition.NONE);
    }
    String writeId = condition.writeId().orElseGet(() -> newWriteId(own));
    try {
      return write.under(condition.withWriteId(writeId));
    } catch (StoreException e) {
      if (e.kind() != Kind.PRECONDITION_FAILED && e.kind() != Kind.CONFLICT) {
        throw e;
      }
      Optional<ObjectMeta> there = look(key);
      if (there.flatMap(ObjectMeta::writeId).equals(Optional.of(writeId))) {
        return there.get().etag(); // Its answer was lost, and whoever looked for it first failed.
      }
      throw e.because(new Conflict(own, there).present());
    }
  }

  private String replace(String key, Writer own, Write write) throws IOException {
    Condition required = Condition.IF_ABSENT;
    for (int tries = 1; ; tries++) {
      try {
        return write.under(required.withWriteId(newWriteId(own)));
      } catch (StoreException e) {
        if (e.kind() != Kind.PRECONDITION_FAILED || tries == REPLACE_TRIES_MAX) {
          throw e;
        }
        Conflict conflict = new Conflict(own, look(key));
        if (conflict.isFenced()) {
          throw e.because(conflict.fenced());
        }
        required =
            conflict
                .there()
                .map(meta -> Condition.ifMatch(meta.etag()))
                .orElse(Condition.IF_ABSENT);
      }
    }
  }

  private Optional<ObjectMeta> look(String key) throws IOException {
    try {
      return Optional.of(inner.head(key));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private String newWriteId(Writer own) {
    return own.writeId(writeIds.get());
  }
}
