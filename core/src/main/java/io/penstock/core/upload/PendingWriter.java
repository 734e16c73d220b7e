/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.PendingUpload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes one object that stays invisible until its upload is completed. Closing submits the last
 * part to the pool and does not wait until the part is sent. Meanwhile a task with many files can
 * close the next file; it waits once, when it commits. A close waits only while the buffers of the
 * process are full.
 */
public final class PendingWriter extends BlockWriter {
  private final CompletableFuture<PendingUpload> pending = new CompletableFuture<>();

  PendingWriter(PartSender sender, Blocks blocks, UploadConfig config) {
    super(sender, blocks, config);
  }

  /**
   * Returns a future of the upload. It completes after {@link #close}, once every part is in the
   * store, or fails.
   */
  public CompletableFuture<PendingUpload> pending() {
    return pending;
  }

  /** Returns the store that the upload is in. */
  public ObjectStore store() {
    return sender.store();
  }

  /** Returns true if the writer is closed; only then can {@link #pending} complete. */
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
      if (sender.partsSent() == 0) {
        // An upload needs at least one part, even an empty one.
        sender.send(takeBlock());
      } else {
        sendBlock();
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

  /** Drops the upload, before or after a close, and waits as long as {@link Drops} allows. */
  public void discard() throws IOException {
    Drops.await(List.of(drop()));
  }

  /** Begins to drop the upload, before or after a close. All further writes fail. */
  public CompletableFuture<Void> drop() {
    // The drop comes first, because it releases a writer that waits for its parts to be sent.
    CompletableFuture<Void> dropped = sender.drop();
    closeForGood();
    pending.completeExceptionally(
        new IOException("the upload of " + sender.key() + " was dropped"));
    return dropped;
  }
}
