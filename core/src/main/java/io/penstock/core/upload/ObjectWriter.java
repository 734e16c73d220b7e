/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.CopiedBeginning;
import io.penstock.core.store.parts.Part;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes one object. A small object is sent as one PUT; the parts of a larger one are sent while it
 * is written.
 *
 * <p>A write waits while the object has too many parts under way or the buffers of the process are
 * full, at most ten minutes for the buffers, and then throws an IOException. It throws the failure
 * of an earlier part, too. After a failed write, close fails and drops the object. Must not be used
 * on a thread of the pool. Calls of several threads run one after the other.
 */
public final class ObjectWriter extends BlockWriter {
  /** Bytes that are read at a time of what the store does not copy. */
  private static final int READ_BYTES = 8 << 20;

  private Condition condition;
  private String etag;
  private long oldBytes = -1; // of the object that is added to

  ObjectWriter(PartSender sender, Blocks blocks, UploadConfig config, Condition condition) {
    super(sender, blocks, config);
    this.condition = condition;
  }

  /** Begins with what the object has, as {@link Uploader#append} says. */
  synchronized void beginWith(ObjectMeta old, ObjectStore store) throws IOException {
    oldBytes = old.sizeBytes();
    long copiedBytes = 0;
    if (oldBytes >= Part.MIN_SIZE_BYTES) {
      CopiedBeginning copied = copied(oldBytes);
      copiedBytes = copied.sizeBytes();
      if (copied.parts() > 0) {
        sender.beginWith(copied, old.etag());
      }
    }
    for (long start = copiedBytes; start < oldBytes; start += READ_BYTES) {
      ByteRange piece = new ByteRange(start, Math.min(oldBytes, start + READ_BYTES));
      write(store.get(old.key(), piece, Optional.of(old.etag())).bytes());
    }
  }

  /** Returns how many bytes the object will have if nothing more is written. */
  public synchronized long objectBytes() {
    return sender.beginning().sizeBytes() + writtenBytes();
  }

  /** Returns what of the object the store copies, so that it is not in {@link #contentSoFar}. */
  public synchronized CopiedBeginning beginning() {
    return sender.beginning();
  }

  /** Returns what the store keeps with the object. */
  public UserMetadata user() {
    return sender.user();
  }

  /** Returns the ETag of the object; empty until the object is in the store. */
  public synchronized Optional<String> etag() {
    return Optional.ofNullable(etag);
  }

  /** Replaces the condition under which the object becomes visible. */
  public synchronized void closeIf(Condition other) {
    condition = other;
  }

  /**
   * Returns a copy of what was written so far, or read of the object that is added to; empty if it
   * is larger than this, not in memory any more, or a write has failed.
   */
  public synchronized Optional<byte[]> contentSoFar(int bytesMax) throws IOException {
    return content(bytesMax);
  }

  /**
   * Completes the object. When this method returns, the object is whole, durable and visible. When
   * it fails, nothing of the object is visible, unless the answer of the store was lost: after a
   * {@code CONNECTION_LOST} or {@code SERVER_ERROR} the whole object may be there.
   *
   * @throws io.penstock.core.store.StoreException PRECONDITION_FAILED when the condition does not
   *     hold
   */
  @Override
  public synchronized void close() throws IOException {
    if (!closing()) {
      return;
    }
    try {
      refuseAfterFailedWrite();
      if (objectBytes() == oldBytes) {
        takeBlock().discard(); // Nothing was added.
        sender.abort();
      } else if (sender.partsSent() == 0 && sender.beginning().parts() == 0) {
        etag = sender.putWhole(takeBlock(), condition);
      } else {
        sendBlock();
        etag = sender.complete(condition);
      }
    } catch (IOException | RuntimeException | Error e) {
      abortAfter(e);
      throw e;
    }
  }
}
