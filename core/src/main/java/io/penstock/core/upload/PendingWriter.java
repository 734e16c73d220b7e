/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes one object that stays invisible until its upload is completed. Closing submits the last
 * part to the pool and does not wait until the part is sent. Meanwhile a task with many files can
 * close the next file; it waits once, when it commits. A close waits only while the buffers of the
 * process are full.
 *
 * <p>A small object is not uploaded if its task's message has room for its content. The writer
 * keeps the content until the task commits.
 *
 * <p>Writes wait and fail as those of {@link ObjectWriter}. If close fails, the upload is dropped
 * and {@link #pending} fails with the same exception. Must not be used on a thread of the pool.
 */
public final class PendingWriter extends BlockWriter {
  private final CompletableFuture<PendingUpload> pending = new CompletableFuture<>();
  private final InlineBudget budget;
  private final Buffers buffers;
  private InlineContent inline;

  PendingWriter(
      PartSender sender, Blocks blocks, UploadConfig config, InlineBudget budget, Buffers buffers) {
    super(sender, blocks, config);
    this.budget = budget;
    this.buffers = buffers;
  }

  /**
   * Returns the content of a closed file that was not uploaded; its memory belongs to the caller
   * from now on. Empty if the file is an upload, before the close, and at a second call.
   */
  public synchronized Optional<InlineContent> takeInline() {
    Optional<InlineContent> taken = Optional.ofNullable(inline);
    taken.ifPresent(content -> buffers.giveBackMemory(content.bytes().length, false));
    inline = null;
    return taken;
  }

  /** Returns true if the writer is closed, and its content waits for {@link #takeInline}. */
  public synchronized boolean isInline() {
    return inline != null;
  }

  /**
   * Returns a future of the upload. It completes after {@link #close}, once every part is in the
   * store. It fails with the failure of a part, or with an IOException when the upload is dropped.
   * It never completes if the file is not uploaded.
   */
  public CompletableFuture<PendingUpload> pending() {
    return pending;
  }

  /** Returns the store that the upload is in. */
  public ObjectStore store() {
    return sender.store();
  }

  /**
   * Returns true if the writer is closed. The future of {@link #pending} does not complete before
   * that.
   */
  public synchronized boolean isClosed() {
    return !isOpen();
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closing()) {
      return;
    }
    try {
      refuseAfterFailedWrite();
      if (sender.partsSent() > 0) {
        sendBlock();
      } else if (isKeptInline()) {
        return;
      } else {
        // An upload needs at least one part, even an empty one.
        sender.send(takeBlock());
      }
    } catch (IOException | RuntimeException | Error e) {
      abortAfter(e);
      pending.completeExceptionally(e);
      throw e;
    }
    var unused =
        sender
            .pending()
            .whenComplete(
                (upload, failure) -> {
                  if (failure == null) {
                    pending.complete(upload);
                  } else {
                    pending.completeExceptionally(failure);
                  }
                });
  }

  /**
   * Keeps the last block's content for the task's message. Returns false if there is no room for
   * it.
   */
  private boolean isKeptInline() throws IOException {
    long size = writtenBytes();
    if (!budget.take(size)) {
      return false;
    }
    Block block = takeBlock();
    if (!buffers.tryToKeep(size, block.countedHeapBytes())) {
      budget.giveBack(size);
      putBack(block);
      return false;
    }
    try {
      byte[] bytes = block.content();
      inline = new InlineContent(bytes, Etags.ofContent(Body.ofBytes(bytes)));
      return true;
    } finally {
      block.discard();
      if (inline == null) {
        buffers.giveBackMemory(size, false);
      }
    }
  }

  /**
   * Drops the upload, before or after a close, and waits as long as {@link AbortQueue} allows.
   *
   * @throws IOException the failure of the abort, if it failed within that time
   */
  public void discard() throws IOException {
    AbortQueue.await(List.of(drop()));
  }

  /**
   * Begins to drop the upload, before or after a close. All further writes fail. Does not wait for
   * the store. The future ends when the upload is gone, or fails with the failure of the abort. A
   * second call returns the same.
   */
  public CompletableFuture<Void> drop() {
    // The drop comes first, because it releases a writer that waits for its parts to be sent.
    CompletableFuture<Void> dropped = sender.drop();
    closeForGood();
    takeInline().ifPresent(content -> budget.giveBack(content.bytes().length));
    pending.completeExceptionally(
        new IOException("the upload of " + sender.key() + " was dropped"));
    return dropped;
  }
}
