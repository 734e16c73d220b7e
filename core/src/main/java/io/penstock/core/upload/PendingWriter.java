/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.PendingUpload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes one object that stays invisible. Closing hands the last part to the pool and does not wait
 * until it is sent: a task with many files closes the next one meanwhile, and waits once, when it
 * commits. It waits only while the process has as much buffered as it may.
 */
public final class PendingWriter extends BlockWriter {
  private final CompletableFuture<PendingUpload> pending = new CompletableFuture<>();

  PendingWriter(PartSender sender, Blocks blocks, UploadConfig config) {
    super(sender, blocks, config);
  }

  /** Completes after {@link #close}, once every part is in the store, or fails. */
  public CompletableFuture<PendingUpload> pending() {
    return pending;
  }

  /** Returns the store that the upload is in. */
  public ObjectStore store() {
    return sender.store();
  }

  /** Returns true if all has been written; only then will {@link #pending} ever complete. */
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

  /** Drops the upload, whether or not the writer was closed, and waits as {@link Drops} says. */
  public void discard() throws IOException {
    Drops.await(List.of(drop()));
  }

  /**
   * Begins to drop the upload, whether or not the writer was closed; its writes fail from now on.
   */
  public CompletableFuture<Void> drop() {
    // First, since a writer that waits for its parts to be sent goes on then.
    CompletableFuture<Void> dropped = sender.drop();
    closeForGood();
    pending.completeExceptionally(
        new IOException("the upload of " + sender.key() + " was dropped"));
    return dropped;
  }
}
